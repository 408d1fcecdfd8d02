// row 2: the clock read while the class is being made
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  static made = Date.now();
//@ BANNED_API

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
