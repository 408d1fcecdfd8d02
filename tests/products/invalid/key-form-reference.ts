import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class KeyFormReference {
  @Feature("jobs", { plans: ["starter", "Pro"], routes: { "POST /v1/jobs": {} } })
//                                      ^^^^^ KEY_FORM
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
