import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class DuplicateFeature {
  @Feature("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": {} } })
  jobs!: void;

  @Feature("jobs", { plans: ["starter"], routes: { "GET /v1/jobs": {} } })
//         ^^^^^^ DUPLICATE_KEY
  moreJobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
