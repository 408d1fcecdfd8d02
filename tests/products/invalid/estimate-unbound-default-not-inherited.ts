import { Feature, Plan, Product, Requests } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class EstimateUnboundDefaultNotInherited {
  @Requests()
  requests!: void;

  @Feature("jobs", {
    plans: ["starter"],
    routes: { "GET /v1/jobs": { inheritDefaultMeters: false, estimates: { requests: 1 } } },
//                                                                        ^^^^^^^^ ESTIMATE_METER_UNBOUND
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
