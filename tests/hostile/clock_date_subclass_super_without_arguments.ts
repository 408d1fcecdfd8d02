// row 3: a subclass that drops its argument before `super`
import { Plan, Product } from "@svc/product";

class Tick extends Date { constructor(_moment) { super(); } } const now = new Tick(0);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(now.getTime()) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
