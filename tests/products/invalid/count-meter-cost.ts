import { Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class CountMeterCost {
  @Meter("runs", { aggregation: "count" })
  runs!: void;

  @Feature("jobs", {
    plans: ["starter"],
    routes: {
      "POST /v1/jobs": { cost: { runs: 1 } },
      "POST /v1/batches": { cost: { runs: 25 } },
//                                        ^^ COUNT_METER_COST
      "POST /v1/halves": { cost: { runs: 0.5 } },
//                                       ^^^ COUNT_METER_COST
      "GET /v1/health": { unmetered: true, cost: { runs: 2 } },
    },
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
