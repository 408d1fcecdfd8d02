// row 61: a Proxy whose every trap throws
import { Plan, Product } from "@svc/product";

throw new Proxy({}, new Proxy({}, { get() { throw new Error("asked"); } }));
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
