import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WrongTypeFeatureGate {
  @Feature("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": {} } })
  jobs!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    featureGates: { jobs: "on" },
//                        ^^^^ WRONG_TYPE
  })
  starter!: void;
}
