// row 39: a getter that throws a number
import { Meter, Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Meter("m", { get unit() { throw 1; } })
//@ VALUE_NOT_PLAIN
  m!: void;

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
