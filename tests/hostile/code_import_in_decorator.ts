// row 74: in a decorator's argument
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com", displayName: String(import("node:os")) })
//                                                                           ^^^^^^^^^^^^^^^^^ DYNAMIC_IMPORT
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
