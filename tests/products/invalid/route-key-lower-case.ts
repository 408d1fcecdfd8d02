import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class RouteKeyLowerCase {
  @Feature("jobs", { plans: ["starter"], routes: { "get /v1/jobs": {} } })
//                                                 ^^^^^^^^^^^^^^ ROUTE_KEY_FORM
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
