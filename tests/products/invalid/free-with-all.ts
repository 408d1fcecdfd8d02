import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class FreeWithAll {
  @Plan("starter", {
    price: {
      amount: 1900,
//    ^^^^^^ FREE_WITH_AMOUNT
      currency: "usd",
//    ^^^^^^^^ FREE_WITH_AMOUNT
      interval: "month",
//    ^^^^^^^^ FREE_WITH_AMOUNT
      free: true,
    } as never,
    limits: { requests: { rate: 60, interval: "minute" } },
  })
  starter!: void;
}
