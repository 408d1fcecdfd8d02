import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class RateLimitMissingOneOfTwo {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;

  @Plan("growth", { trialDays: 14 })
//      ^^^^^^^^ PLAN_RATE_LIMIT_REQUIRED
  growth!: void;
}
