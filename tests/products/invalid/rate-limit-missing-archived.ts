import { Plan, Product } from "@svc/product";

// Also a plan that takes no new subscribers serves its old ones.

@Product({ origin: "https://api.example.com" })
export default class RateLimitMissingArchived {
  @Plan("starter", { legacy: true, archive: true, selfServeEnabled: false })
//      ^^^^^^^^^ PLAN_RATE_LIMIT_REQUIRED
  starter!: void;
}
