import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class NumberTrialDaysNegative {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } }, trialDays: -14 })
//                                                                                      ^^^ NUMBER_RANGE
  starter!: void;
}
