// row 11: a declaration made by a timer must be refused, not dropped in silence
import { Meter, Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
setTimeout(() => Meter("late")(X.prototype, "late"), 0);
//@ BANNED_API
