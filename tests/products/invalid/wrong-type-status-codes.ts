import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WrongTypeStatusCodes {
  @Feature("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": { onStatusCodes: 200 } } })
//                                                                                   ^^^ WRONG_TYPE
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
