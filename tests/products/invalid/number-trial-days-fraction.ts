import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class NumberTrialDaysFraction {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } }, trialDays: 0.5 })
//                                                                                      ^^^ NUMBER_RANGE
  starter!: void;
}
