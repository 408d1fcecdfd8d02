// row 88: many large numbers
import { Plan, Product } from "@svc/product";

const kept = [];
for (let i = 0n; ; i++) kept.push(1n << (100_000n + i));
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(kept.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
