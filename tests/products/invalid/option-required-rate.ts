import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class OptionRequiredRate {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" }, compute: { interval: "day" } },
//                                                                 ^^^^^^^^^^^^^^^^^^^ OPTION_REQUIRED
  })
  starter!: void;
}
