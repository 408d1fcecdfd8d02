// row 61: a promise rejected with a Proxy whose every trap throws
import { Plan, Product } from "@svc/product";

Promise.reject(new Proxy({}, new Proxy({}, { get() { throw new Error("asked"); } })));

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? UNCAUGHT_EXCEPTION
