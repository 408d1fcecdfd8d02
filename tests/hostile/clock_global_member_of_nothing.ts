// row 9: a removed global named as a property is undefined, and using that is the author's own error
import { Plan, Product } from "@svc/product";

const now = globalThis.performance.now();
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com", displayName: String(now) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
