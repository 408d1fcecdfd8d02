import { Plan, Product, topUp } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class GrantsTopUp {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [
      topUp({ sku: "pack-10", label: "Ten dollars", priceCents: 1_000, creditCents: 1_100 }),
      { type: "topUp", sku: "pack-50", label: "Fifty dollars", priceCents: 5_000, creditCents: 6_000 },
    ],
  })
  starter!: void;
}
