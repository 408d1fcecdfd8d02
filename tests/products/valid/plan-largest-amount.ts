import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class PlanLargestAmount {
  @Plan("whale", {
    price: { amount: Number.MAX_SAFE_INTEGER, currency: "usd", interval: "year" },
    limits: { requests: { rate: 1e15, interval: "month" } },
  })
  whale!: void;
}
