// row 13: a price by lot
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", {
    limits: { requests: { rate: 1, interval: "minute" } },
    price: { amount: Math.floor(Math.random() * 1000), currency: "usd", interval: "month" },
//@ BANNED_API
  })
  free!: void;
}
