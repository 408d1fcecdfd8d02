// row 32: objects until none is left
import { Plan, Product } from "@svc/product";

const kept = [];
for (;;) kept.push(new Array(1000).fill(kept.length));
//= BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com", displayName: String(kept.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
