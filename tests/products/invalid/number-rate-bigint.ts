import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class NumberRateBigint {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" }, compute: { rate: 60n, interval: "day" } },
//                                                                         ^^^ VALUE_NOT_PLAIN
  })
  starter!: void;
}
