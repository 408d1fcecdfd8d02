// row 31: recursion in a built-in: flat over 100,000 levels
import { Plan, Product } from "@svc/product";

let deep = [];
for (let i = 0; i < 100_000; i++) deep = [deep];
try {
  deep.flat(Infinity);
} catch {}
//= BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
