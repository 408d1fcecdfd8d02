import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class PlanSpendBounds {
  @Plan("pro", {
    limits: { requests: { rate: 600, interval: "minute" } },
    minMonthlySpendCents: 2_000,
    maxMonthlySpendCents: 50_000,
  })
  pro!: void;

  @Plan("fixed", {
    limits: { requests: { rate: 600, interval: "minute" } },
    minMonthlySpendCents: 100,
    maxMonthlySpendCents: 100,
  })
  fixed!: void;
}
