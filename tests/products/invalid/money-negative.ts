import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class MoneyNegative {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    minMonthlySpendCents: -500,
//                        ^^^^ MONEY_NOT_AN_INTEGER
  })
  starter!: void;
}
