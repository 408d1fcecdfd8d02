// row 88: a join with a long separator
import { Plan, Product } from "@svc/product";

const text = new Array(500_000).join("x".repeat(1000));
//= BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com", displayName: String(text.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
