import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class PricesInAdvance {
  @Plan("monthly", {
    limits: { requests: { rate: 60, interval: "minute" } },
    price: { amount: 1_900, currency: "usd", interval: "month", billed: "advance" },
    trialDays: 14,
  })
  monthly!: void;

  @Plan("yearly", {
    limits: { requests: { rate: 60, interval: "minute" } },
    price: { amount: 19_000, currency: "usd", interval: "year", billed: "advance", usageInterval: "month" },
  })
  yearly!: void;

  @Plan("intro", {
    limits: { requests: { rate: 60, interval: "minute" } },
    price: { amount: 1_900, currency: "usd", interval: "month", billed: "advance", intro: { amount: 100, periods: 3 } },
  })
  intro!: void;

  @Plan("arrears", {
    limits: { requests: { rate: 60, interval: "minute" } },
    price: { amount: 19_000, currency: "usd", interval: "year", billed: "arrears" },
  })
  arrears!: void;
}
