import { Plan, Product, topUp } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class OpaqueTopUp {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    spendPolicy: { disclosure: "opaque" },
    grants: ["support", topUp({ sku: "any", label: "Any amount", minCents: 500, maxCents: 100_000 })],
//                                                                              ^^^^^^^^ OPAQUE_TOP_UP
  })
  starter!: void;
}
