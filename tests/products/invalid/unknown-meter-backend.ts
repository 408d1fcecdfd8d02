import { Backend, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownMeterBackend {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Backend("main", { meters: ["compute", "compute_ms"] })
//                                       ^^^^^^^^^^^^ UNKNOWN_METER
  main!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
