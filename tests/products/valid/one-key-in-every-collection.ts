import { Backend, Capability, Entitlement, Feature, Meter, Plan, Policy, Product, Resource, Workflow } from "@svc/product";

// Keys need to be unique only among their own kind.

@Product({ origin: "https://api.example.com" })
export default class OneKeyInEveryCollection {
  @Meter("main")
  meter!: void;

  @Resource("main")
  resource!: void;

  @Capability("main", { includesFeatures: ["main"] })
  capability!: void;

  @Feature("main", { actions: [{ id: "main", kind: "mutation" }], routes: { "POST /main": { action: "main", backend: "main" } } })
  feature!: void;

  @Entitlement("main", { capabilities: ["main"] })
  entitlement!: void;

  @Workflow("main", { meters: ["main"] })
  workflow!: void;

  @Backend("main")
  backend!: void;

  @Policy("main", { kind: "custom" })
  policy!: void;

  @Plan("main", { capabilities: ["main"], caps: { main: 1 }, limits: { main: { rate: 1, interval: "day" } } })
  plan!: void;
}
