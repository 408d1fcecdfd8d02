// row 38: a getter that would tell the world it was read
import { Meter, Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Meter("m", { get display() { for (;;); } })
//@ VALUE_NOT_PLAIN
  m!: void;

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
