import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionAction {
  @Feature("jobs", { plans: ["starter"], actions: [{ id: "jobs.create", kind: "mutation", audits: "full" }] })
//                                                                                        ^^^^^^ UNKNOWN_OPTION
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
