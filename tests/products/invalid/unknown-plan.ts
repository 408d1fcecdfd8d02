import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownPlan {
  @Feature("jobs", { plans: ["straeter"], routes: { "POST /v1/jobs": {} } })
//                           ^^^^^^^^^^ UNKNOWN_PLAN
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
