import { Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WrongTypeCostMap {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Feature("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": { cost: 5 } } })
//                                                                          ^ WRONG_TYPE
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
