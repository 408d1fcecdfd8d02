// row 32: filled in a job
import { Plan, Product } from "@svc/product";

const kept = [];
Promise.resolve().then(() => {
  for (;;) kept.push(new Array(1000).fill(kept.length));
});
//= BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
