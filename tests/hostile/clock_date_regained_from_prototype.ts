// row 3: `now` through the prototype's constructor
import { Plan, Product } from "@svc/product";

const now = Date.prototype.constructor.now();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(now) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
