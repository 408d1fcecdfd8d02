import { Capability, Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownFeatureCapability {
  @Feature("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": {} } })
  jobs!: void;

  @Capability("export", { includesFeatures: ["jobs", "job"] })
//                                                   ^^^^^ UNKNOWN_FEATURE
  exports!: void;

  @Plan("starter", { capabilities: ["export"], limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
