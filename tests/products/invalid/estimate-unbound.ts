import { Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class EstimateUnbound {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Feature("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": { estimates: { compute: 5 } } } })
//                                                                                 ^^^^^^^ ESTIMATE_METER_UNBOUND
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
