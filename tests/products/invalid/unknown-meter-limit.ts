import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownMeterLimit {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" }, cmopute: { rate: 1000, interval: "day" } },
//                                                        ^^^^^^^ UNKNOWN_METER
  })
  starter!: void;
}
