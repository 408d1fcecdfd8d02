import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionFeature {
  @Feature("jobs", { plans: ["starter"], route: { "POST /v1/jobs": {} } })
//                                       ^^^^^ UNKNOWN_OPTION
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
