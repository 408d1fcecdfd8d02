import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class MoneyBigint {
  @Plan("starter", {
    price: { amount: 1900n, currency: "usd", interval: "month" },
//                   ^^^^^ MONEY_NOT_AN_INTEGER
    limits: { requests: { rate: 60, interval: "minute" } },
  })
  starter!: void;
}
