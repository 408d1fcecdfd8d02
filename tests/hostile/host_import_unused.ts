// row 85: an import that nothing uses
import { Plan, Product } from "@svc/product";

import { readFileSync } from "fs";
//                           ^^^^ IMPORT_NOT_ALLOWED

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
