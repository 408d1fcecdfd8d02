// row 13: meters in an order by lot
import { Plan, Product } from "@svc/product";

const keys = ["a", "b", "c", "d"].sort(() => Math.random() - 0.5);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: keys.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
