// row 59: a timer that evaluates
import { Plan, Product } from "@svc/product";

setTimeout("globalThis.leak = 1", 0);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
