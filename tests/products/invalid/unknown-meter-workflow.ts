import { Meter, Plan, Product, Workflow } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownMeterWorkflow {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Workflow("nightly", { meters: ["cpu"] })
//                                ^^^^^ UNKNOWN_METER
  nightly!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
