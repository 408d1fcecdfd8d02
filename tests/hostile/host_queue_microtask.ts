// row 86: a job without a promise
import { Plan, Product } from "@svc/product";

queueMicrotask(() => {});
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
