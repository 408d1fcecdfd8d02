import { Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionRoute {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Feature("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": { costs: { compute: 1 } } } })
//                                                                    ^^^^^ UNKNOWN_OPTION
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
