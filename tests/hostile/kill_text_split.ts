// row 88: texts split into their letters, and the letters kept
import { Plan, Product } from "@svc/product";

const kept = [];
for (;;) kept.push("xy".repeat(5_000_000).split(""));
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(kept.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
