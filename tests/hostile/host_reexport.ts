// row 85: the other statements with a specifier
import { Plan, Product } from "@svc/product";

export * from "node:os";
//            ^^^^^^^^^ IMPORT_NOT_ALLOWED
export { hostname } from "os";
//                       ^^^^ IMPORT_NOT_ALLOWED
export * as fs from "https://example.com/fs.ts";
//                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
