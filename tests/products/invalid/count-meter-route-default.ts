import { Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class CountMeterRouteDefault {
  @Meter("calls", { aggregation: "count", routeDefault: 2 })
//                                                      ^ COUNT_METER_COST
  calls!: void;

  @Meter("hits", { aggregation: "count", routeDefault: 1 })
  hits!: void;

  @Feature("jobs", { plans: ["starter"], routes: { "GET /v1/jobs": {}, "POST /v1/jobs": {} } })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
