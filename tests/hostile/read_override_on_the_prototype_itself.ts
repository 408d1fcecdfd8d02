// row 44: the same assignment on the built-in itself
import { Plan, Product } from "@svc/product";

Object.prototype.toString = () => "stolen";
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
