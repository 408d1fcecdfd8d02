import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class PlanYearly {
  @Plan("pro", {
    price: { amount: 19_000, currency: "usd", interval: "year" },
    limits: { requests: { rate: 600, interval: "minute" } },
  })
  pro!: void;
}
