import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Meter("tokens") tokens!: void;
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meter: { tokens: { tiers: [{ upTo: null, micros: 5 }] } as never },
//                     ^^^^^ OPTION_REQUIRED
  })
  starter!: void;
}
