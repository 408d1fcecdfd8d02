import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Meter("tokens") tokens!: void;
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    price: { amount: 19.999, currency: "usd", interval: "month" },
//                   ^^^^^^ MONEY_NOT_AN_INTEGER
  })
  starter!: void;
}
