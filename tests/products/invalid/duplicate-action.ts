import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class DuplicateAction {
  @Feature("jobs", {
    plans: ["starter"],
    actions: [
      { id: "jobs.create", kind: "mutation" },
      { id: "jobs.create", kind: "mutation" },
//          ^^^^^^^^^^^^^ DUPLICATE_ACTION
    ],
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
