import { Entitlement, Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownFeatureGates {
  @Feature("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": {} } })
  jobs!: void;

  @Entitlement("basic", { featureGates: { jobs: true, jbos: true } })
//                                                    ^^^^ UNKNOWN_FEATURE
  basic!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    featureGates: { alerts: false, jobs: true },
//                  ^^^^^^ UNKNOWN_FEATURE
  })
  starter!: void;
}
