import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Meter("tokens") tokens!: void;
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    TrialDays: 14 as never,
//  ^^^^^^^^^ UNKNOWN_OPTION
  })
  starter!: void;
}
