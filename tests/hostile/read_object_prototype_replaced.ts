// row 44: another root of all objects
import { Plan, Product } from "@svc/product";

Object.setPrototypeOf(Object.prototype, { get: () => "stolen" });
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
