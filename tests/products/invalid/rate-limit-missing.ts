import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class RateLimitMissing {
  @Plan("starter", { price: { amount: 1900, currency: "usd", interval: "month" } })
//      ^^^^^^^^^ PLAN_RATE_LIMIT_REQUIRED
  starter!: void;
}
