import { Meter, Plan, Product, Workflow } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WorkflowStringTrigger {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Workflow("nightly", {
    kind: "scheduled_job",
    trigger: "cron",
    meters: ["compute"],
    estimates: { compute: 1_000 },
  })
  nightly!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
