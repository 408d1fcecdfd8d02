// row 61: the same, thrown
import { Plan, Product } from "@svc/product";

throw Object.defineProperty(new Error("x"), "name", { value: Symbol("name") });
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
