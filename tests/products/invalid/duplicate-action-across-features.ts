import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class DuplicateActionAcrossFeatures {
  @Feature("jobs", { plans: ["starter"], actions: [{ id: "create", kind: "mutation" }] })
  jobs!: void;

  @Feature("alerts", { plans: ["starter"], actions: [{ id: "create", kind: "mutation" }] })
//                                                         ^^^^^^^^ DUPLICATE_ACTION
  alerts!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
