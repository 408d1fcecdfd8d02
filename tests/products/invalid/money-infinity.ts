import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class MoneyInfinity {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    maxMonthlySpendCents: Infinity,
//                        ^^^^^^^^ MONEY_NOT_AN_INTEGER
  })
  starter!: void;
}
