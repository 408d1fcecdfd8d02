// row 88: one letter turned into nine, and the results kept
import { Plan, Product } from "@svc/product";

const kept = [];
for (;;) kept.push(encodeURIComponent("\u20ac".repeat(1_000_000)));
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(kept.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
