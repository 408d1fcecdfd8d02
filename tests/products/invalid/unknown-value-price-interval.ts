import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownValuePriceInterval {
  @Plan("starter", {
    price: { amount: 1900, currency: "usd", interval: "monthly" },
//                                                    ^^^^^^^^^ UNKNOWN_VALUE
    limits: { requests: { rate: 60, interval: "minute" } },
  })
  starter!: void;
}
