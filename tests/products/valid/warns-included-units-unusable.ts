import { Capability, Feature, Meter, Plan, Product, Workflow } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WarnsIncludedUnitsUnusable {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Meter("mails")
  mails!: void;

  @Meter("seats", { aggregation: "unique" })
  seats!: void;

  @Feature("jobs", { plans: ["pro"], routes: { "POST /v1/jobs": { reports: "compute" } } })
  jobs!: void;

  @Capability("basics", { includesFeatures: ["jobs"] })
  basics!: void;

  @Capability("all", { includesCapabilities: ["basics"] })
  all!: void;

  @Workflow("letters", { meters: ["mails"] })
  letters!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meter: { compute: { micros: 20, includedUnits: 1_000 }, mails: { micros: 1, includedUnits: 5 } },
//                                                 ^^^^^ INCLUDED_UNITS_UNUSABLE
  })
  starter!: void;

  @Plan("priced", { limits: { requests: { rate: 60, interval: "minute" } }, meter: { compute: { micros: 20 }, seats: { micros: 9, includedUnits: 3 } } })
  priced!: void;

  @Plan("pro", { limits: { requests: { rate: 60, interval: "minute" } }, meter: { compute: { micros: 20, includedUnits: 1_000 } } })
  pro!: void;

  @Plan("team", { limits: { requests: { rate: 60, interval: "minute" } }, capabilities: ["all"], meter: { compute: { micros: 20, includedUnits: 1_000 } } })
  team!: void;

  @Plan("trial", {
    limits: { requests: { rate: 60, interval: "minute" } },
    featureGates: { jobs: true },
    meter: { compute: { micros: 20, includedUnits: 1_000 } },
  })
  trial!: void;

  @Plan("closed", {
    limits: { requests: { rate: 60, interval: "minute" } },
    capabilities: ["all"],
    featureGates: { jobs: false },
    meters: [{ meter: "compute", kind: "linear", micros: 20, includedUnits: 1_000 }],
//                                                                          ^^^^^ INCLUDED_UNITS_UNUSABLE
  })
  closed!: void;
}
