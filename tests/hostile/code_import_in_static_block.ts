// row 74: in the class
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  static loaded = import("node:fs");
//                ^^^^^^^^^^^^^^^^^ DYNAMIC_IMPORT

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
