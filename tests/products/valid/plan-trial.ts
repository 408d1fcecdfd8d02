import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class PlanTrial {
  @Plan("pro", { trialDays: 14, limits: { requests: { rate: 600, interval: "minute" } } })
  pro!: void;

  @Plan("century", { trialDays: 36_500, limits: { requests: { rate: 600, interval: "minute" } } })
  century!: void;
}
