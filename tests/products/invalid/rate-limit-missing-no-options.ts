import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class RateLimitMissingNoOptions {
  @Plan("starter")
//      ^^^^^^^^^ PLAN_RATE_LIMIT_REQUIRED
  starter!: void;
}
