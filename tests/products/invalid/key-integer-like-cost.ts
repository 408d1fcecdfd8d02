import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class KeyIntegerLikeCost {
  @Feature("jobs", {
    plans: ["starter"],
    routes: { "POST /v1/jobs": { cost: { "7": 1 }, estimates: { "8": 1 } } },
//                                       ^^^ INTEGER_LIKE_KEY
//                                                              ^^^ INTEGER_LIKE_KEY
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
