// row 44: how an array grows
import { Plan, Product } from "@svc/product";

Array.prototype.push = () => 0;
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
