import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionActionSubject {
  @Feature("jobs", {
    plans: ["starter"],
    actions: [
      {
        id: "jobs.delete",
        kind: "mutation",
        subject: { type: "job", from: "path_param", name: "id", param: "id" },
//                                                              ^^^^^ UNKNOWN_OPTION
      },
    ],
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
