import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionMeter {
  @Meter("compute", { untis: "ms" })
//                    ^^^^^ UNKNOWN_OPTION
  compute!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
