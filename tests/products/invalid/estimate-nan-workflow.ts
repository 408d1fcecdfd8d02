import { Meter, Plan, Product, Workflow } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class EstimateNanWorkflow {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Workflow("nightly", { meters: ["compute"], estimates: { compute: NaN } })
//                                                                  ^^^ ESTIMATE_NOT_A_NUMBER
  nightly!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
