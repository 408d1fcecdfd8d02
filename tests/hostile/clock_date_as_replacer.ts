// row 1: the function as the callback of String.prototype.replace
import { Plan, Product } from "@svc/product";

const now = "x".replace("x", Date);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: now })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
