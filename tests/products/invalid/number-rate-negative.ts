import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class NumberRateNegative {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" }, compute: { rate: -1, interval: "day" } },
//                                                                         ^^ NUMBER_RANGE
  })
  starter!: void;
}
