// row 11: a timer that comes again
import { Plan, Product } from "@svc/product";

let ticks = 0;
setInterval(() => ticks++, 1);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
