// row 74: in a spread
import { Plan, Product } from "@svc/product";

const all = { ...import("node:fs") };
//               ^^^^^^^^^^^^^^^^^ DYNAMIC_IMPORT

@Product({ name: "x", origin: "https://api.example.com", displayName: String(all) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
