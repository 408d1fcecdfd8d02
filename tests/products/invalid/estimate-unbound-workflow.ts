import { Meter, Plan, Product, Workflow } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class EstimateUnboundWorkflow {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Workflow("nightly", { estimates: { compute: 5 } })
//                                    ^^^^^^^ ESTIMATE_METER_UNBOUND
  nightly!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
