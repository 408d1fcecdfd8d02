import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class NumberRateNan {
  @Plan("starter", { limits: { requests: { rate: NaN, interval: "minute" } } })
//                                               ^^^ NUMBER_RANGE
  starter!: void;
}
