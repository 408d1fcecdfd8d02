import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class KeyIntegerLikeRoute {
  @Feature("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": {}, "404": {} } })
//                                                                      ^^^^^ INTEGER_LIKE_KEY
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
