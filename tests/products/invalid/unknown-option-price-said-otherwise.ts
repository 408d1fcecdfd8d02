import { Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionPriceSaidOtherwise {
  @Meter("volume", { unit: "cent" })
  @Meter("minutes", { unit: "minute", by: ["resolution"] })
  usage!: void;

  @Feature("pay", { plans: ["starter"], routes: { "POST /v1/payments": { reports: ["volume", "minutes"] } } })
  pay!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meter: {
      volume: { micros: 290, flatMicros: 300_000 },
//                           ^^^^^^^^^^ UNKNOWN_OPTION
      minutes: { rates: { "720p": 800, "1080p": 1_000 }, includedUnits: 100 },
//                                                       ^^^^^^^^^^^^^ UNKNOWN_OPTION
    },
  })
  starter!: void;
}
