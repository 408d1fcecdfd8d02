import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class EstimateNanMeter {
  @Meter("compute", { estimate: NaN })
//                              ^^^ ESTIMATE_NOT_A_NUMBER
  compute!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
