// row 23: `require` regained from the module that makes it
import { Plan, Product } from "@svc/product";

import { createRequire } from "node:module";
//                            ^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED

@Product({ name: "x", origin: "https://api.example.com", displayName: createRequire("file:///")("os").hostname() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
