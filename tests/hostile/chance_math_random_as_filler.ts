// row 13: the function as the callback of Array.from
import { Plan, Product } from "@svc/product";

const lots = Array.from({ length: 3 }, Math.random);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: lots.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
