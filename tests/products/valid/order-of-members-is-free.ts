import { Backend, Capability, Feature, Meter, Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class OrderOfMembersIsFree {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meter: { compute: { micros: 20 } },
    capabilities: ["export"],
    caps: { slots: 5 },
  })
  starter!: void;

  @Capability("export", { includesFeatures: ["jobs"] })
  exports!: void;

  @Feature("jobs", { routes: { "POST /v1/jobs": { reports: "compute", action: "jobs.create", backend: "main" } } })
  jobs!: void;

  @Feature("actions", {
    plans: ["starter"],
    actions: [{ id: "jobs.create", kind: "mutation", resource: { resource: "slots", effect: "create" } }],
  })
  actions!: void;

  @Backend("main")
  main!: void;

  @Resource("slots")
  slots!: void;

  @Meter("compute", { unit: "ms" })
  compute!: void;
}
