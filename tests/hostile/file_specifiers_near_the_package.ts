// row 97: names that are almost the package's
import { Plan, Product } from "@svc/product";

import "@svc/product/";
//     ^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "@svc/product?raw";
//     ^^^^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "@SVC/product";
//     ^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "@svc/products";
//     ^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "npm:@svc/product";
//     ^^^^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "@svc/product/index.js";
//     ^^^^^^^^^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "@svc/product/../product";
//     ^^^^^^^^^^^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "@svc\u200b/product";
//     ^^^^^^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "@svc/internal";
//     ^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
