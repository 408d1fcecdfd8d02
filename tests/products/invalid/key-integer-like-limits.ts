import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class KeyIntegerLikeLimits {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" }, "10": { rate: 1, interval: "day" } },
//                                                        ^^^^ INTEGER_LIKE_KEY
  })
  starter!: void;
}
