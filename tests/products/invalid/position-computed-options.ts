import { Plan, Product } from "@svc/product";
import type { PlanOptions } from "@svc/product";

function plan(rate: number): PlanOptions {
  return { limits: { requests: { rate, interval: "minute" } }, trialDays: -1 };
}

@Product({ origin: "https://api.example.com" })
export default class PositionComputedOptions {
  @Plan("starter", plan(60))
//                 ^^^^^^^^ NUMBER_RANGE
  starter!: void;
}
