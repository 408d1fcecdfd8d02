import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class DuplicateRoute {
  @Feature("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": {} } })
  jobs!: void;

  @Feature("imports", { plans: ["starter"], routes: { "POST /v1/jobs": {} } })
//                                                    ^^^^^^^^^^^^^^^ DUPLICATE_ROUTE
  imports!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
