import { Meter, Plan, Product } from "@svc/product";

// A meter is no resource: it has a rate, not a count.

@Product({ origin: "https://api.example.com" })
export default class UnknownResourceIsAMeter {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } }, caps: { compute: 5 } })
//                                                                                   ^^^^^^^ UNKNOWN_RESOURCE
  starter!: void;
}
