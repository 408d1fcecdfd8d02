// row 64: many errors in one, the host's among them
import { Plan, Product } from "@svc/product";

await Promise.any([Promise.reject(new Error("a")), Promise.resolve().then(() => Math.random())]);

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? UNCAUGHT_EXCEPTION
