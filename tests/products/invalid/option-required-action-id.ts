import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class OptionRequiredActionId {
  @Feature("jobs", { plans: ["starter"], actions: [{ kind: "mutation" }] })
//                                                 ^^^^^^^^^^^^^^^^^^^^ OPTION_REQUIRED
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
