// row 88: a long text joined of long texts
import { Plan, Product } from "@svc/product";

const kept = [];
for (;;) kept.push(new Array(100_000).fill("x".repeat(1000)).join(""));
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(kept.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
