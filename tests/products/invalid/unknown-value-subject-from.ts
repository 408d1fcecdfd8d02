import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownValueSubjectFrom {
  @Feature("jobs", {
    plans: ["starter"],
    actions: [
      { id: "jobs.delete", kind: "mutation", subject: { type: "job", from: "query_param", name: "id" } },
//                                                                         ^^^^^^^^^^^^^ UNKNOWN_VALUE
    ],
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
