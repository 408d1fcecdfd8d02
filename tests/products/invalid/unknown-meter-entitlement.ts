import { Entitlement, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownMeterEntitlement {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Entitlement("basic", {
    meters: ["compute", "computes"],
//                      ^^^^^^^^^^ UNKNOWN_METER
    limits: { egress: { rate: 10, interval: "hour" } },
//            ^^^^^^ UNKNOWN_METER
  })
  basic!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
