// row 74: even a file of the build's own
import { Plan, Product } from "@svc/product";

const { rate } = await import("./lib/rate");
//                     ^^^^^^^^^^^^^^^^^^^^ DYNAMIC_IMPORT

@Product({ name: "x", origin: "https://api.example.com", displayName: String(rate) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
