import { Feature, Plan, Product, Requests } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class CountMeterCostRequests {
  @Requests()
  requests!: void;

  @Feature("jobs", {
    plans: ["starter"],
    routes: {
      "GET /v1/jobs": {},
      "POST /v1/batches": { cost: { requests: 4 } },
//                                            ^ COUNT_METER_COST
      "POST /v1/jobs": { inheritDefaultMeters: false, cost: { requests: 1 } },
    },
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
