import * as p from "@svc/product";

@p.Product({ origin: "https://api.example.com" })
export default class PositionNamespace {
  @p.Meter("compute", { aggregation: "mean" as never })
//                                   ^^^^^^ UNKNOWN_VALUE
  compute!: void;

  @p.Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
