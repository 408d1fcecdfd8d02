import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownValueRateInterval {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" }, compute: { rate: 1, interval: "year" } },
//                                                                                      ^^^^^^ UNKNOWN_VALUE
  })
  starter!: void;
}
