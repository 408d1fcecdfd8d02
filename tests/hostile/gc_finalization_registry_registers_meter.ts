// row 30: the collector's callback declares a meter
import { Meter, Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
const registry = new FinalizationRegistry(() => Meter("late")(X.prototype, "late"));
//@ BANNED_API
registry.register({}, 1);
