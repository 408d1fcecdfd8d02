import { Feature, Meter, Plan, Product, Requests } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class RoutesCosts {
  @Requests()
  requests!: void;

  @Meter("gateway", { routeDefault: 1 })
  gateway!: void;

  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Feature("jobs", {
    description: "Jobs by the hour.",
    plans: ["starter"],
    routes: {
      "POST /v1/jobs": { cost: { gateway: 10, compute: 0.5 } },
      "GET /v1/jobs": {},
      "GET /v1/jobs/{id}": { cost: { gateway: 1 } },
      "DELETE /v1/jobs/{id}": { inheritDefaultMeters: false, cost: { compute: 2 } },
      "HEAD /v1/health": { unmetered: true },
      "OPTIONS /": { unmetered: true, cost: { compute: 5 }, reports: [] },
      "PATCH /v1/jobs/{id}/runs/{run_id}": {},
      "PUT /v1/jobs/{_id}/a-b.c~d": {},
    },
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
