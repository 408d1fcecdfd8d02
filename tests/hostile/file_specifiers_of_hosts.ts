// row 74: specifiers of every kind of host
import { Plan, Product } from "@svc/product";

import "node:fs";
//     ^^^^^^^^^ IMPORT_NOT_ALLOWED
import "fs";
//     ^^^^ IMPORT_NOT_ALLOWED
import "bun:ffi";
//     ^^^^^^^^^ IMPORT_NOT_ALLOWED
import "npm:left-pad";
//     ^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "jsr:@std/path";
//     ^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "https://example.com/x.ts";
//     ^^^^^^^^^^^^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "http://169.254.169.254/x.js";
//     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "data:text/javascript,globalThis.x=1";
//     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "blob:null/0";
//     ^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "file:///etc/passwd";
//     ^^^^^^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "/etc/passwd";
//     ^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "C:\\Windows\\x.js";
//     ^^^^^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "//example.com/x.js";
//     ^^^^^^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "ext:core/mod.js";
//     ^^^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "wasm:x";
//     ^^^^^^^^ IMPORT_NOT_ALLOWED
import "#internal";
//     ^^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "@/lib/x";
//     ^^^^^^^^^ IMPORT_NOT_ALLOWED
import "left-pad";
//     ^^^^^^^^^^ IMPORT_NOT_ALLOWED
import "";
//     ^^ IMPORT_NOT_ALLOWED
import " ./x";
//     ^^^^^^ IMPORT_NOT_ALLOWED

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
