import { Meter, Plan, Product, creditGrant, topUp } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class GrantsKeptAndSold {
  @Meter("jobs", { unit: "job" })
  jobs!: void;

  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [
      creditGrant({ amountCents: 3_000, recurs: true, rolloverPeriods: 2 }),
      { amountCents: 100, recurs: true, rolloverPeriods: 1_200, expiresAfterDays: 400 },
      topUp({ sku: "year", label: "A year", priceCents: 1_200_000, creditCents: 1_320_000, expiresAfterDays: 365 }),
      topUp({ sku: "any", label: "Any amount", minCents: 500, maxCents: 100_000, feeBasisPoints: 550, expiresAfterDays: 365 }),
      { type: "topUp", sku: "plain", label: "Without a fee", minCents: 1, maxCents: 1 },
      creditGrant({ amountCents: 500, recurs: true, meters: ["jobs", "compute"] }),
      topUp({ sku: "compute", label: "Compute", priceCents: 100, creditCents: 110, meters: ["compute"] }),
      topUp({ sku: "any-compute", label: "Any amount of compute", minCents: 1, maxCents: 5, meters: ["compute"] }),
    ],
  })
  starter!: void;
}
