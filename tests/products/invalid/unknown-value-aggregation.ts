import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownValueAggregation {
  @Meter("compute", { aggregation: "avg" })
//                                 ^^^^^ UNKNOWN_VALUE
  compute!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
