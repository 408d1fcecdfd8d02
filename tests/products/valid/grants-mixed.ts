import { Capability, Plan, Product, capabilityGrant, creditGrant, topUp } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class GrantsMixed {
  @Capability("export")
  exports!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    capabilities: ["export"],
    grants: [
      "priority-support",
      capabilityGrant("export"),
      creditGrant({ amountCents: 500 }),
      topUp({ sku: "p", label: "P", priceCents: 1, creditCents: 1 }),
      { type: "capability", capability: "export", limits: {} },
    ],
  })
  starter!: void;
}
