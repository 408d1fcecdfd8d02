import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WarnsRouteShadowedByOtherName {
  @Feature("jobs", { plans: ["starter"], routes: { "GET /v1/jobs/{id}": {} } })
  jobs!: void;

  @Feature("runs", {
    plans: ["starter"],
    routes: { "GET /v1/jobs/{job}": {}, "DELETE /v1/jobs/{job}": {} },
//            ^^^^^^^^^^^^^^^^^^^^ ROUTE_SHADOWED
  })
  runs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
