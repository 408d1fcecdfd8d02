import { Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class TimeWeightedValue {
  @Meter("stored_gb", { aggregation: "time_weighted", estimate: 2 })
//                                                              ^ TIME_WEIGHTED_VALUE
  stored!: void;

  @Meter("seats", { aggregation: "time_weighted", routeDefault: 1 })
//                                                              ^ TIME_WEIGHTED_VALUE
  seats!: void;

  @Feature("files", {
    plans: ["starter"],
    routes: {
      "GET /v1/files": { inheritDefaultMeters: false, reports: ["stored_gb"], estimates: { stored_gb: 3 } },
//                                                                                                    ^ TIME_WEIGHTED_VALUE
      "PUT /v1/files": { inheritDefaultMeters: false, cost: { stored_gb: 4 } },
//                                                                       ^ TIME_WEIGHTED_VALUE
    },
  })
  files!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meter: { stored_gb: { micros: 20_000 }, seats: { micros: 8_750_000 } },
  })
  starter!: void;
}
