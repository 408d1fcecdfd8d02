import { Feature, Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownResourceAction {
  @Resource("slots")
  slots!: void;

  @Feature("jobs", {
    plans: ["starter"],
    actions: [
      { id: "jobs.create", kind: "mutation", resource: { resource: "slotts", effect: "create" } },
//                                                                 ^^^^^^^^ UNKNOWN_RESOURCE
    ],
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
