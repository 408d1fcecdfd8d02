// row 44: how keys are checked
import { Plan, Product } from "@svc/product";

RegExp.prototype.exec = () => ["stolen"];
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
