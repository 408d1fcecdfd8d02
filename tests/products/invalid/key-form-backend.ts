import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class KeyFormBackend {
  @Feature("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": { backend: "https://api.example.com" } } })
//                                                                             ^^^^^^^^^^^^^^^^^^^^^^^^^ KEY_FORM
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
