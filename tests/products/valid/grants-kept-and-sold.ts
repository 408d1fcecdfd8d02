import { Plan, Product, creditGrant, topUp } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class GrantsKeptAndSold {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [
      creditGrant({ amountCents: 3_000, recurs: true, rolloverPeriods: 2 }),
      { amountCents: 100, recurs: true, rolloverPeriods: 1_200, expiresAfterDays: 400 },
      topUp({ sku: "year", label: "A year", priceCents: 1_200_000, creditCents: 1_320_000, expiresAfterDays: 365 }),
      topUp({ sku: "any", label: "Any amount", minCents: 500, maxCents: 100_000, feeBasisPoints: 550, expiresAfterDays: 365 }),
      { type: "topUp", sku: "plain", label: "Without a fee", minCents: 1, maxCents: 1 },
    ],
  })
  starter!: void;
}
