// row 85: the module of all ops
import { Plan, Product } from "@svc/product";

import { op_panic } from "ext:core/ops";
//                       ^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED

@Product({ name: "x", origin: "https://api.example.com", displayName: String(op_panic) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
