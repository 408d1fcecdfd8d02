// row 1: the function reached through Function.prototype.call, with an argument that it ignores
import { Plan, Product } from "@svc/product";

const now = Date.call(null, 0);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: now })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
