// row 44: a well-known symbol
import { Plan, Product } from "@svc/product";

Symbol.iterator = Symbol("mine");
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
