// row 97: a package.json with a map of imports, a tsconfig.json with paths: neither is read
import { Plan, Product } from "@svc/product";

import { told } from "#told";
//                   ^^^^^^^ IMPORT_NOT_ALLOWED
import { other } from "@lib/told";
//                    ^^^^^^^^^^^ IMPORT_NOT_ALLOWED

@Product({ name: "x", origin: "https://api.example.com", displayName: told + other })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
