import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class RouteKeyMethodUnknown {
  @Feature("jobs", { plans: ["starter"], routes: { "FETCH /v1/jobs": {} } })
//                                                 ^^^^^^^^^^^^^^^^ ROUTE_KEY_FORM
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
