import { Plan, Product } from "@svc/product";
import type { PlanOptions } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class PositionParentheses {
  @Plan("starter", ({ limits: { requests: { rate: 60, interval: "minute" } }, trialDays: 2.5 }) satisfies PlanOptions)
//                                                                                       ^^^ NUMBER_RANGE
  starter!: void;
}
