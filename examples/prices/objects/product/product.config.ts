import { Feature, Meter, Plan, Product } from "@svc/product";

/** Object storage by class, with requests by class, and 30 days of storage at least for what is infrequently read. */
@Product({ origin: "https://api.objects.example" })
export default class Objects {
  @Meter("stored", { unit: "GB", aggregation: "time_weighted", by: ["class"] })
  @Meter("early", { unit: "GB-day", by: ["class"] })
  @Meter("operations", { by: ["class", "kind"] })
  @Meter("retrieved", { unit: "GB" })
  storage!: void;

  @Feature("files", { plans: ["pro"], routes: { "PUT /v1/files": { reports: ["stored", "early", "operations", "retrieved"] } } })
  files!: void;

  @Plan("pro", {
    limits: { requests: { rate: 600, interval: "minute" } },
    meter: {
      stored: { rates: { standard: 23_000, infrequent: 12_500 } },
      early: { per: 30, rates: { infrequent: 12_500 } },
      operations: { per: 1_000, rates: { standard: { a: 5_000, b: 400 }, infrequent: { a: 10_000, b: 1_000 } } },
      retrieved: { micros: 10_000 },
    },
  })
  pro!: void;
}
