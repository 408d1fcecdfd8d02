import { Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class LimitsCounts {
  @Resource("slots")
  slots!: void;

  @Resource("seats", { display: "Seats", countSource: "action_inferred" })
  seats!: void;

  @Plan("starter", {
    limits: { seats: { count: 3 }, requests: { rate: 60, interval: "minute" } },
    caps: { slots: 0 },
  })
  starter!: void;
}
