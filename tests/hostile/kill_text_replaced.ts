// row 88: each match replaced by much
import { Plan, Product } from "@svc/product";

const kept = [];
for (;;) kept.push("x".repeat(100_000).replace(/x/g, "y".repeat(1000)));
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(kept.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
