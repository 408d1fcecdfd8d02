import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class KeyIntegerLikeReference {
  @Feature("jobs", { plans: ["starter", "1"], routes: { "POST /v1/jobs": {} } })
//                                      ^^^ INTEGER_LIKE_KEY
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
