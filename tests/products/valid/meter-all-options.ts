import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class MeterAllOptions {
  @Meter("compute", { display: "Compute time", unit: "ms", estimate: 250.5, routeDefault: 0, aggregation: "sum" })
  compute!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
