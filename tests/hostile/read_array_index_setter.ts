// row 44: a setter that sees every first element
import { Plan, Product } from "@svc/product";

Object.defineProperty(Array.prototype, 0, { set(value) { this.stolen = value; }, configurable: true });
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
