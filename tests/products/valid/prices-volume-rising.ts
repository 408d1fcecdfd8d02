import { Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class PricesVolumeRising {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Feature("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": { reports: "compute" } } })
  jobs!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meters: [
      {
        meter: "compute",
        kind: "volume",
        tiers: [
          { upTo: 100, micros: 0 },
          { upTo: 1_000, micros: 20, per: 10 },
          { upTo: null, micros: 4, per: 2 },
        ],
      },
    ],
  })
  starter!: void;
}
