import { Plan, Product, topUp } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class DuplicateSku {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [
      topUp({ sku: "small", label: "Small", priceCents: 100, creditCents: 100 }),
      { type: "topUp", sku: "small", label: "Small too", priceCents: 9_999, creditCents: 100 },
//                          ^^^^^^^ DUPLICATE_SKU
      topUp({ sku: "large", label: "Large", priceCents: 1_000, creditCents: 1_100 }),
    ],
  })
  starter!: void;

  // Another plan may sell the same pack.
  @Plan("pro", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [topUp({ sku: "small", label: "Small", priceCents: 90, creditCents: 100 })],
  })
  pro!: void;
}
