import { Plan, Product } from "@svc/product";

const base = { limits: { requests: { rate: 60, interval: "minute" } }, trialDays: 1.5 } as const;
//                                                                                ^^^ NUMBER_RANGE

@Product({ origin: "https://api.example.com" })
export default class PositionSpread {
  @Plan("starter", { name: "Starter", ...base })
  starter!: void;
}
