// row 85: the module of the core
import { Plan, Product } from "@svc/product";

import * as core from "ext:core/mod.js";
//                    ^^^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED

@Product({ name: "x", origin: "https://api.example.com", displayName: String(core) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
