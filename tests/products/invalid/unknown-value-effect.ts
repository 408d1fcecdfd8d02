import { Feature, Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownValueEffect {
  @Resource("slots")
  slots!: void;

  @Feature("jobs", {
    plans: ["starter"],
    actions: [{ id: "jobs.create", kind: "mutation", resource: { resource: "slots", effect: "update" } }],
//                                                                                          ^^^^^^^^ UNKNOWN_VALUE
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
