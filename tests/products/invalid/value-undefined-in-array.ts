import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class ValueUndefinedInArray {
  @Feature("jobs", { plans: ["starter", undefined as never], routes: { "POST /v1/jobs": {} } })
//                                      ^^^^^^^^^ VALUE_NOT_PLAIN
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
