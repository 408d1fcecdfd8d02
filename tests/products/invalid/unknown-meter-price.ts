import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownMeterPrice {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meter: { "compute-ms": { micros: 20 } },
//           ^^^^^^^^^^^^ UNKNOWN_METER
  })
  starter!: void;
}
