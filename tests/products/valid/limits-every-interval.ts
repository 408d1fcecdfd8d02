import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class LimitsEveryInterval {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Plan("starter", {
    limits: {
      requests: { rate: 5, interval: "second" },
      compute: { rate: 1_000, interval: "minute" },
      "queue.depth": { rate: 1, interval: "hour" },
      egress: { rate: 2.5, interval: "day", enforcement: "track" },
      seats_used: { rate: 10, interval: "week", enforcement: "enforce" },
      x: { rate: 100, interval: "month" },
    },
  })
  starter!: void;

  @Meter("queue.depth", { aggregation: "max" })
  queueDepth!: void;

  @Meter("egress")
  egress!: void;

  @Meter("seats_used", { aggregation: "unique" })
  seatsUsed!: void;

  @Meter("x")
  x!: void;
}
