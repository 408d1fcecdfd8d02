// row 44: how a Map keeps
import { Plan, Product } from "@svc/product";

Map.prototype.set = function () { return this; };
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
