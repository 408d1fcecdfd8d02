import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class KeyFormActionId {
  @Feature("jobs", { plans: ["starter"], actions: [{ id: "createJob", kind: "mutation" }] })
//                                                       ^^^^^^^^^^^ KEY_FORM
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
