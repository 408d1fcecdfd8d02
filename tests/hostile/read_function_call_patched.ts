// row 44: how functions are called
import { Plan, Product } from "@svc/product";

Function.prototype.call = () => "stolen";
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
