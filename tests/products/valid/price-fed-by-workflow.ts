import { Meter, Plan, Product, Workflow } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class PriceFedByWorkflow {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Workflow("nightly", { kind: "scheduled_job", trigger: "cron", meters: ["compute"] })
  nightly!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } }, meter: { compute: { micros: 20 } } })
  starter!: void;
}
