import { Capability, Feature, Plan, Policy, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class CapabilityIncludes {
  @Feature("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": {} } })
  jobs!: void;

  @Feature("alerts", { routes: { "POST /v1/alerts": {} } })
  alerts!: void;

  @Policy("signed-in", { kind: "auth" })
  signedIn!: void;

  @Capability("everything", {
    title: "Everything",
    description: "All there is.",
    includesCapabilities: ["basics", "alerting"],
    mutationClass: "contractual",
  })
  everything!: void;

  @Capability("basics", { includesFeatures: ["jobs"], includesPolicies: ["signed-in"], mutationClass: "runtime" })
  basics!: void;

  @Capability("alerting", { includesFeatures: ["alerts"], includesCapabilities: ["basics"] })
  alerting!: void;

  @Plan("starter", { capabilities: ["everything"], limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
