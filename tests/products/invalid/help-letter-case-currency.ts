import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Meter("tokens") tokens!: void;
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    price: { amount: 1900, currency: "USD" as never, interval: "month" },
//                                   ^^^^^ UNKNOWN_VALUE
  })
  starter!: void;
}
