import { Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class PricesVolume {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Feature("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": { reports: "compute" } } })
  jobs!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meters: [
      { meter: "compute", kind: "volume", tiers: [{ upTo: 1, micros: 30 }, { upTo: 2, micros: 20 }, { upTo: null, micros: 0 }] },
//                                                                                            ^^ PRICE_FALLS
    ],
  })
  starter!: void;
}
