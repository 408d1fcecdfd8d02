import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WarnsRouteShadowed {
  @Feature("jobs", {
    plans: ["starter"],
    routes: { "GET /v1/jobs/{id}": {}, "GET /v1/jobs/latest": {}, "GET /v1/jobs/latest/runs": {} },
//                                     ^^^^^^^^^^^^^^^^^^^^^ ROUTE_SHADOWED
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
