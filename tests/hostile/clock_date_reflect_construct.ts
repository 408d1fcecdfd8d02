// row 3: construction without the syntax for it
import { Plan, Product } from "@svc/product";

const now = Reflect.construct(Date, []);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(now.getTime()) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
