// row 44: the same by definition
import { Plan, Product } from "@svc/product";

Object.defineProperty(Object.prototype, "get", { get: () => () => "stolen" });
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
