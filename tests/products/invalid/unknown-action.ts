import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownAction {
  @Feature("jobs", {
    plans: ["starter"],
    actions: [{ id: "jobs.create", kind: "mutation" }],
    routes: { "POST /v1/jobs": { action: "job.create" } },
//                                       ^^^^^^^^^^^^ UNKNOWN_ACTION
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
