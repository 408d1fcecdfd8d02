import { Feature, Meter, Plan, Product } from "@svc/product";

/** Ten seats at 87 dollars a year, due on the first day; what is stored beyond 100 GB is billed each month. */
@Product({ origin: "https://api.chat.example" })
export default class Chat {
  @Meter("storage", { unit: "GB", aggregation: "max" })
  storage!: void;

  @Feature("chat", { plans: ["ten"], routes: { "POST /v1/files": { reports: "storage" } } })
  chat!: void;

  @Plan("ten", {
    name: "Ten seats",
    price: { amount: 10 * 8_700, currency: "usd", interval: "year", billed: "advance", usageInterval: "month" },
    limits: { requests: { rate: 600, interval: "minute" } },
    meter: { storage: { micros: 100_000, includedUnits: 100 } },
  })
  ten!: void;
}
