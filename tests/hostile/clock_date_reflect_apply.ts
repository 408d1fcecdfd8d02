// row 2: a call without the syntax for it
import { Plan, Product } from "@svc/product";

const now = Reflect.apply(Date.now, undefined, []);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(now) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
