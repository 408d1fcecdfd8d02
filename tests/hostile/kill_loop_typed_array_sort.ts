// row 33: a built-in sort, over and over
import { Plan, Product } from "@svc/product";

const numbers = new Float64Array(250_000).map((_, i) => (i * 7919) % 1_000_003);
for (;;) numbers.toSorted();
//= BUILD_TIMEOUT | BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
