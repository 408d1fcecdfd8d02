import { Plan, Product, Workflow } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionWorkflow {
  @Workflow("nightly", { kind: "scheduled_job", triggers: "cron" })
//                                              ^^^^^^^^ UNKNOWN_OPTION
  nightly!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
