import { Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WarnsPriceFalls {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Meter("runs", { aggregation: "count" })
  runs!: void;

  @Feature("jobs", { plans: ["starter", "pro"], routes: { "POST /v1/jobs": { reports: ["compute", "runs"] } } })
  jobs!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meters: [
      {
        meter: "compute",
        kind: "volume",
        tiers: [
          { upTo: 100, micros: 30 },
          { upTo: 1_000, micros: 20 },
//                               ^^ PRICE_FALLS
          { upTo: null, micros: 10 },
        ],
      },
    ],
  })
  starter!: void;

  // A unit more costs more: 10 × 10 = 100, 11 × 9.9 = 108.9. But 10.000000001 × 9.9 is below 100.
  @Plan("pro", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meters: [
      {
        meter: "compute",
        kind: "volume",
        tiers: [
          { upTo: 10, micros: 100, per: 10 },
          { upTo: null, micros: 99, per: 10 },
//                              ^^ PRICE_FALLS
        ],
      },
      // Reports come whole.
      {
        meter: "runs",
        kind: "volume",
        tiers: [
          { upTo: 10, micros: 100, per: 10 },
          { upTo: null, micros: 99, per: 10 },
        ],
      },
    ],
  })
  pro!: void;
}
