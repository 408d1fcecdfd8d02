import { Feature, Meter, Plan, Product } from "@svc/product";

// The fixed cost is the meter's `routeDefault`, so there is no key to blame but the route.

@Product({ origin: "https://api.example.com" })
export default class CostAndReportInherited {
  @Meter("compute", { routeDefault: 1 })
  compute!: void;

  @Feature("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": { reports: "compute" } } })
//                                                                  ^^^^^^^^^^^^^^^^^^^^^^ METER_COST_AND_REPORT
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
