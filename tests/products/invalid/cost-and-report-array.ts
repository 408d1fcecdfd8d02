import { Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class CostAndReportArray {
  @Meter("compute")
  @Meter("egress")
  meters!: void;

  @Feature("jobs", {
    plans: ["starter"],
    routes: {
      "POST /v1/jobs": {
        cost: { egress: 1, compute: 10 },
//              ^^^^^^ METER_COST_AND_REPORT
//                         ^^^^^^^ METER_COST_AND_REPORT
        report: "egress",
        reports: ["compute"],
      },
    },
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
