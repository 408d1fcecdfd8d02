import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Meter("tokens") tokens!: void;
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meters: [{ meter: "tokens", kind: "linear", micros: 0.0005 }],
//                                                      ^^^^^^ MONEY_NOT_AN_INTEGER
  })
  starter!: void;
}
