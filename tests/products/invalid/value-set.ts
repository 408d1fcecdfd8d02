import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class ValueSet {
  @Feature("jobs", { plans: new Set(["starter"]) as never, routes: { "POST /v1/jobs": {} } })
//                          ^^^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  jobs!: void;

  @Plan("starter", { featureGates: { jobs: true }, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
