import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownValueCurrency {
  @Plan("starter", {
    price: { amount: 1900, currency: "eur", interval: "month" },
//                                   ^^^^^ UNKNOWN_VALUE
    limits: { requests: { rate: 60, interval: "minute" } },
  })
  starter!: void;
}
