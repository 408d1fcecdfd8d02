import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class PlanMonthly {
  @Plan("pro", {
    name: "Pro",
    price: { amount: 1_900, currency: "usd", interval: "month" },
    limits: { requests: { rate: 600, interval: "minute" } },
  })
  pro!: void;
}
