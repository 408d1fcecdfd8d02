// row 46: a default for everybody
import { Plan, Product } from "@svc/product";

Object.prototype.archive = true;
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
