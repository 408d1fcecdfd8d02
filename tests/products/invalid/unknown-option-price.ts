import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionPrice {
  @Plan("starter", {
    price: { amount: 1900, currency: "usd", interval: "month", curency: "usd" },
//                                                             ^^^^^^^ UNKNOWN_OPTION
    limits: { requests: { rate: 60, interval: "minute" } },
  })
  starter!: void;
}
