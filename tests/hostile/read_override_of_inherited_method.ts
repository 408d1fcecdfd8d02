// row 44: the price of frozen intrinsics: an inherited method can't be hidden by assignment, only by definition
import { Plan, Product } from "@svc/product";

const named = {};
named.toString = () => "mine";
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com", displayName: String(named) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
