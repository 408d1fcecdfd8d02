// row 74: relative paths that leave the product's folder
import { Plan, Product } from "@svc/product";

import "../secret";
//     ^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "./lib/../../secret";
//     ^^^^^^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "./../../../../etc/passwd";
//     ^^^^^^^^^^^^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "..";
//     ^^^^ IMPORT_NOT_ALLOWED
import ".\\lib\\x";
//     ^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "product/lib/x";
//     ^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "/product/lib/x";
//     ^^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
