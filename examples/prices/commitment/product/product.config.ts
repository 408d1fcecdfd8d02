import { Feature, Meter, Plan, Product, creditGrant } from "@svc/product";

/** 12,000 dollars on the first day are worth 13,200 for a year; usage is billed by the month. Who does not commit pays as they go. */
@Product({ origin: "https://api.compute.example" })
export default class Compute {
  @Meter("hours", { unit: "hour" })
  hours!: void;

  @Feature("compute", { plans: ["committed", "open"], routes: { "POST /v1/machines": { reports: "hours" } } })
  compute!: void;

  @Plan("committed", {
    price: { amount: 1_200_000, currency: "usd", interval: "year", billed: "advance", usageInterval: "month" },
    limits: { requests: { rate: 600, interval: "minute" } },
    meter: { hours: { micros: 2_000_000 } },
    grants: [creditGrant({ amountCents: 1_320_000, kind: "prepaid", expiresAfterDays: 365, label: "Commitment" })],
  })
  committed!: void;

  @Plan("open", {
    limits: { requests: { rate: 600, interval: "minute" } },
    meter: { hours: { micros: 2_000_000 } },
  })
  open!: void;
}
