// row 46: by Object.assign
import { Plan, Product } from "@svc/product";

Object.assign(Object.prototype, { legacy: true });
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
