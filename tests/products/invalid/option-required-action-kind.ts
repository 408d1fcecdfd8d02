import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class OptionRequiredActionKind {
  @Feature("jobs", { plans: ["starter"], actions: [{ id: "jobs.create" }] })
//                                                 ^^^^^^^^^^^^^^^^^^^^^ OPTION_REQUIRED
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
