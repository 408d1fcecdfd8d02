// row 35: an async iterator whose first step never comes
import { Plan, Product } from "@svc/product";

const silent = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) };
for await (const step of silent) String(step);
//@ UNSETTLED_AWAIT

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
