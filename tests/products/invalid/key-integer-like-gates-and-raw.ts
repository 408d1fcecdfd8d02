import { Plan, Product, Raw } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Raw({ tiers: { 1: "free" } })
//              ^ INTEGER_LIKE_KEY
export default class KeyIntegerLikeGatesAndRaw {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    featureGates: { "2024": true },
//                  ^^^^^^ INTEGER_LIKE_KEY
  })
  starter!: void;
}
