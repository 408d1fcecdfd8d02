import { Capability, Entitlement, Feature, Meter, Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class Entitlements {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Feature("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": {} } })
  jobs!: void;

  @Resource("slots")
  slots!: void;

  @Capability("export")
  exports!: void;

  @Entitlement("basic", {
    capabilities: ["export"],
    featureGates: { jobs: true },
    limits: {
      requests: { rate: 60, interval: "minute" },
      compute: { rate: 10, interval: "day", enforcement: "track" },
      slots: { count: 5 },
    },
    meters: ["compute"],
  })
  basic!: void;

  @Plan("starter", { capabilities: ["export"], limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
