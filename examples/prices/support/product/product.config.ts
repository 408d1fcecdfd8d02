import { Feature, Meter, Plan, Product } from "@svc/product";

/** 0.99 a resolution, at least 50 of them; seats at 39 dollars. */
@Product({ origin: "https://api.support.example" })
export default class Support {
  @Meter("resolutions", { unit: "resolution" })
  resolutions!: void;

  @Meter("seats", { unit: "seat", aggregation: "last" })
  seats!: void;

  @Feature("desk", { plans: ["team"], routes: { "POST /v1/answers": { reports: ["resolutions", "seats"] } } })
  desk!: void;

  @Plan("team", {
    limits: { requests: { rate: 600, interval: "minute" } },
    meter: { resolutions: { micros: 990_000, minCents: 50 * 99 }, seats: { micros: 39_000_000 } },
  })
  team!: void;
}
