import { Feature, Plan, Policy, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownPolicyFeature {
  @Policy("signed-in", { kind: "auth" })
  signedIn!: void;

  @Feature("jobs", { plans: ["starter"], policies: ["signed_in"], routes: { "POST /v1/jobs": {} } })
//                                                  ^^^^^^^^^^^ UNKNOWN_POLICY
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
