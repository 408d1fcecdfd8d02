import { Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownMeterReportsArray {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Feature("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": { reports: ["compute", "egress"] } } })
//                                                                                         ^^^^^^^^ UNKNOWN_METER
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
