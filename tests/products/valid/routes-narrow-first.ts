import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class RoutesNarrowFirst {
  @Feature("jobs", {
    plans: ["starter"],
    routes: {
      "GET /v1/jobs/latest": {},
      "GET /v1/jobs/{id}": {},
      "POST /v1/jobs/{id}": {},
      "GET /v1/jobs/{id}/runs": {},
      "GET /v1/{kind}/{id}": {},
    },
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
