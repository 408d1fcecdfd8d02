import { Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionMetersVolume {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Feature("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": { reports: "compute" } } })
  jobs!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meters: [{ meter: "compute", kind: "volume", tiers: [{ upTo: null, micros: 20 }], includesUnits: 10 }],
//                                                                                    ^^^^^^^^^^^^^ UNKNOWN_OPTION
  })
  starter!: void;
}
