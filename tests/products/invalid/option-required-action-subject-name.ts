import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class OptionRequiredActionSubjectName {
  @Feature("jobs", {
    plans: ["starter"],
    actions: [{ id: "jobs.delete", kind: "mutation", subject: { type: "job", from: "path_param" } }],
//                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ OPTION_REQUIRED
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
