// row 44: the old way of defining
import { Plan, Product } from "@svc/product";

Array.prototype.__defineGetter__(0, () => "stolen");
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
