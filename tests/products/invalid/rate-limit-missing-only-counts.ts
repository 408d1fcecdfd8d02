import { Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class RateLimitMissingOnlyCounts {
  @Resource("slots")
  slots!: void;

  @Plan("starter", { limits: { slots: { count: 5 } } })
//      ^^^^^^^^^ PLAN_RATE_LIMIT_REQUIRED
  starter!: void;
}
