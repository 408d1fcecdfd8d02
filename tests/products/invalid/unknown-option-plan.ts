import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionPlan {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    trialdays: 14,
//  ^^^^^^^^^ UNKNOWN_OPTION
  })
  starter!: void;
}
