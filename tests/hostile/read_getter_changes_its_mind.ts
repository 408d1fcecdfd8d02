// row 38: an amount that is 1900 when checked and 0 when used
import { Plan, Product } from "@svc/product";

let reads = 0;

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", {
    limits: { requests: { rate: 1, interval: "minute" } },
    price: { get amount() { return reads++ === 0 ? 1900 : 0; }, currency: "usd", interval: "month" },
//@ MONEY_NOT_AN_INTEGER
  })
  free!: void;
}
