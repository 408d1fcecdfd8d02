import { Plan, Product } from "@svc/product";

const base = { limits: { requests: { rate: 60, interval: "minute" } }, trialDays: 14 } as const;

@Product({ origin: "https://api.example.com" })
export default class PositionSpreadOverridden {
  @Plan("starter", { ...base, trialDays: 1.5 })
//                                       ^^^ NUMBER_RANGE
  starter!: void;
}
