import { Feature, Meter, Plan, Product } from "@svc/product";

/** Object storage: 100 GB-months included, then 0.02 each, for as long as they are stored. */
@Product({ origin: "https://api.storage.example" })
export default class Storage {
  @Meter("stored_gb", { unit: "GB", aggregation: "time_weighted" })
  stored!: void;

  @Feature("files", { plans: ["pro"], routes: { "PUT /v1/files": { reports: "stored_gb" } } })
  files!: void;

  @Plan("pro", {
    price: { amount: 500, currency: "usd", interval: "month" },
    limits: { requests: { rate: 600, interval: "minute" } },
    meter: { stored_gb: { micros: 20_000, includedUnits: 100 } },
  })
  pro!: void;
}
