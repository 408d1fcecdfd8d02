// row 3: construction with somebody else's prototype
import { Plan, Product } from "@svc/product";

const now = Reflect.construct(Date, [], Object);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(Date.prototype.getTime.call(now)) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
