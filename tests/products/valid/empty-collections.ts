import { Feature, Frontend, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Frontend({ nav: [], pages: [] })
export default class EmptyCollections {
  @Feature("jobs", { plans: ["starter"], policies: [], actions: [], routes: {} })
  jobs!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    caps: {},
    meter: {},
    grants: [],
    capabilities: [],
    featureGates: {},
    raw: {},
  })
  starter!: void;

  @Plan("growth", { limits: { requests: { rate: 60, interval: "minute" } }, meters: [] })
  growth!: void;
}
