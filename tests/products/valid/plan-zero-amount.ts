import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class PlanZeroAmount {
  @Plan("zero", {
    price: { amount: 0, currency: "usd", interval: "month" },
    limits: { requests: { rate: 0, interval: "hour" } },
  })
  zero!: void;
}
