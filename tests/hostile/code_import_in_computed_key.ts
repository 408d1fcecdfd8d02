// row 74: as the name of a member
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  [String(import("node:fs"))] = 1;
//        ^^^^^^^^^^^^^^^^^ DYNAMIC_IMPORT

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
