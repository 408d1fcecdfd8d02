import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class PlanSpendPolicy {
  @Plan("hidden", {
    limits: { requests: { rate: 60, interval: "minute" } },
    spendPolicy: { disclosure: "opaque" },
  })
  hidden!: void;

  @Plan("open", {
    limits: { requests: { rate: 60, interval: "minute" } },
    spendPolicy: { disclosure: "transparent" },
  })
  open!: void;

  @Plan("default", { limits: { requests: { rate: 60, interval: "minute" } }, spendPolicy: {} })
  byDefault!: void;
}
