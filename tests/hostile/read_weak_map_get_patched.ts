// row 44: how the package knows its classes
import { Plan, Product } from "@svc/product";

WeakMap.prototype.get = () => ({ finalised: true });
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
