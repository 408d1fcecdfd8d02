import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class MeterAggregations {
  @Meter("tokens", { aggregation: "sum" })
  tokens!: void;

  @Meter("runs", { aggregation: "count" })
  runs!: void;

  @Meter("peak-memory", { aggregation: "max" })
  peakMemory!: void;

  @Meter("stored_bytes", { aggregation: "last" })
  storedBytes!: void;

  @Meter("active.users", { aggregation: "unique" })
  activeUsers!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
