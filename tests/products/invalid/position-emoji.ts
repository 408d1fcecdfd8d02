import { Feature, Plan, Product } from "@svc/product";

// Columns count UTF-16 units: a rocket is two.

@Product({ origin: "https://api.example.com" })
export default class PositionEmoji {
  @Feature("jobs", { description: "🚀🚀 fast", plans: ["straeter"], routes: { "POST /v1/jobs": {} } })
//                                                     ^^^^^^^^^^ UNKNOWN_PLAN
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
