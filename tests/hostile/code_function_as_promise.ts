// row 34: a promise's constructor is `Function`, which is handed an executor
import { Plan, Product } from "@svc/product";

const kept = Promise.resolve(1);
Object.defineProperty(kept, "constructor", { value: { [Symbol.species]: Function } });
const made = kept.then((x) => x);
//@ BANNED_API
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
