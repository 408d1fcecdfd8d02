import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class NumberTrialDaysTooLong {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } }, trialDays: 36_501 })
//                                                                                      ^^^^^^ NUMBER_RANGE
  starter!: void;
}
