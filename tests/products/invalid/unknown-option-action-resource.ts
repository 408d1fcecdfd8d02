import { Feature, Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionActionResource {
  @Resource("slots")
  slots!: void;

  @Feature("jobs", {
    plans: ["starter"],
    actions: [{ id: "jobs.create", kind: "mutation", resource: { resource: "slots", effect: "create", by: 1 } }],
//                                                                                                    ^^ UNKNOWN_OPTION
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
