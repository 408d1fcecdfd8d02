import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class SpendBoundsCrossed {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    maxMonthlySpendCents: 5_000,
    minMonthlySpendCents: 5_001,
//                        ^^^^^ SPEND_BOUNDS_CROSSED
  })
  starter!: void;
}
