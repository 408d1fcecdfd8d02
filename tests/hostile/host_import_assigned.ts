// row 87: an imported binding is no variable
import { Plan, Product } from "@svc/product";

Plan = () => () => {};
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
