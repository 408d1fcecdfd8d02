import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class NumberRateTooLarge {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" }, compute: { rate: 1e16, interval: "day" } },
//                                                                         ^^^^ NUMBER_RANGE
  })
  starter!: void;
}
