// row 74: relative paths at which nothing lies, encoded ones among them
import { Plan, Product } from "@svc/product";

import "./missing";
//     ^^^^^^^^^^^ IMPORT_NOT_FOUND
import "./..%2f..%2fetc/passwd";
//     ^^^^^^^^^^^^^^^^^^^^^^^^ IMPORT_NOT_FOUND
import "./product.config.ts?again";
//     ^^^^^^^^^^^^^^^^^^^^^^^^^^^ IMPORT_NOT_FOUND
import "./product.config.ts#again";
//     ^^^^^^^^^^^^^^^^^^^^^^^^^^^ IMPORT_NOT_FOUND
import "./product.config.ts\u0000.js";
//     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ IMPORT_NOT_FOUND
import "./PRODUCT.CONFIG.TS";
//     ^^^^^^^^^^^^^^^^^^^^^ IMPORT_NOT_FOUND

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
