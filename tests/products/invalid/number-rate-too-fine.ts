import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class NumberRateTooFine {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" }, compute: { rate: 0.1 + 0.2, interval: "day" } },
//                                                                         ^^^^^^^^^ NUMBER_RANGE
  })
  starter!: void;
}
