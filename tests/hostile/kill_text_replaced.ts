// row 88: each match replaced by much
import { Plan, Product } from "@svc/product";

const text = "x".repeat(500_000).replace(/x/g, "y".repeat(1000));
//= BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com", displayName: String(text.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
