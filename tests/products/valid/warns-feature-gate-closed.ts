import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WarnsFeatureGateClosed {
  @Feature("jobs", { plans: [], routes: { "POST /v1/jobs": {} } })
//         ^^^^^^ FEATURE_UNGRANTED
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } }, featureGates: { jobs: false } })
  starter!: void;
}
