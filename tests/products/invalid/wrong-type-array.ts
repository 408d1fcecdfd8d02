import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WrongTypeArray {
  @Feature("jobs", { plans: "starter", routes: { "POST /v1/jobs": {} } })
//                          ^^^^^^^^^ WRONG_TYPE
  jobs!: void;

  @Plan("starter", { featureGates: { jobs: true }, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
