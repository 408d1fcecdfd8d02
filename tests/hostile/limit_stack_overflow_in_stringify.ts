// row 31: recursion in a built-in: JSON of 100,000 nested arrays, with a list of keys, since V8 needs no stack without one
import { Plan, Product } from "@svc/product";

let deep = [];
for (let i = 0; i < 100_000; i++) deep = [deep];
try {
  JSON.stringify(deep, ["key"]);
} catch {}
//= BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
