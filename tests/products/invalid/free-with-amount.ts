import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class FreeWithAmount {
  @Plan("starter", {
    price: { free: true, amount: 0 },
//                       ^^^^^^ FREE_WITH_AMOUNT
    limits: { requests: { rate: 60, interval: "minute" } },
  })
  starter!: void;
}
