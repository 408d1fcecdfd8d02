import { Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UniqueMeterReported {
  @Meter("seats", { aggregation: "unique" })
  seats!: void;

  @Meter("bytes")
  bytes!: void;

  @Feature("jobs", {
    plans: ["starter"],
    routes: {
      "GET /v1/jobs": { reports: ["bytes", "seats"] },
//                                         ^^^^^^^ UNIQUE_METER_ON_ROUTE
      "GET /v1/stats": { report: "seats" },
//                               ^^^^^^^ UNIQUE_METER_ON_ROUTE
    },
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
