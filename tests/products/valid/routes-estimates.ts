import { Feature, Meter, Plan, Product, Requests } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class RoutesEstimates {
  @Requests()
  requests!: void;

  @Meter("gateway", { routeDefault: 2 })
  gateway!: void;

  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Feature("jobs", {
    plans: ["starter"],
    routes: {
      "POST /v1/jobs": { reports: "compute", estimates: { compute: 250, requests: 1, gateway: 2.25 } },
      "POST /v1/runs": { cost: { compute: 5 }, estimates: { compute: 0 } },
    },
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
