import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class RateLimitMissingEmpty {
  @Plan("starter", { limits: {} })
//      ^^^^^^^^^ PLAN_RATE_LIMIT_REQUIRED
  starter!: void;
}
