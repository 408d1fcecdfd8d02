// row 72: eval written with an escape
import { Plan, Product } from "@svc/product";

const told = \u0065val("1 + 1");
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
