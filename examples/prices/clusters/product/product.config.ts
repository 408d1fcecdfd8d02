import { Feature, Meter, Plan, Product } from "@svc/product";

/** By the hour, 59 dollars for 730 hours, and at most 59 dollars a month. */
@Product({ origin: "https://api.clusters.example" })
export default class Clusters {
  @Meter("hours", { unit: "hour" })
  hours!: void;

  @Feature("run", { plans: ["standard"], routes: { "POST /v1/heartbeats": { reports: "hours" } } })
  run!: void;

  @Plan("standard", {
    limits: { requests: { rate: 600, interval: "minute" } },
    meter: { hours: { micros: 59_000_000, per: 730, maxCents: 5_900 } },
  })
  standard!: void;
}
