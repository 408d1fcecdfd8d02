import { Feature, Meter, Plan, Product, Raw } from "@svc/product";

@Product({ origin: "api.example.com", titel: "Acme" })
//                 ^^^^^^^^^^^^^^^^^ URL_FORM
//                                    ^^^^^ UNKNOWN_OPTION
@Raw({ plans: [], since: new Date(0) })
//     ^^^^^ RAW_OVER_TYPED
//                       ^^^^^^^^^^^ VALUE_NOT_PLAIN
export default class SeveralAtOnce {
  @Meter("compute", { aggregation: "avg", estimate: NaN })
//                                 ^^^^^ UNKNOWN_VALUE
//                                                  ^^^ ESTIMATE_NOT_A_NUMBER
  compute!: void;

  @Meter("Egress")
//       ^^^^^^^^ KEY_FORM
  egress!: void;

  @Feature("jobs", {
    plans: ["starter", "grwoth"],
//                     ^^^^^^^^ UNKNOWN_PLAN
    routes: {
      "post /v1/jobs": {},
//    ^^^^^^^^^^^^^^^ ROUTE_KEY_FORM
      "POST /v1/runs": { cost: { compute: 1 }, reports: "compute" },
//                               ^^^^^^^ METER_COST_AND_REPORT
      "GET /v1/runs": { onStatusCodes: "2xx", action: "runs.list" },
//                                     ^^^^^ STATUS_CODES_FORM
//                                                    ^^^^^^^^^^^ UNKNOWN_ACTION
    },
  })
  jobs!: void;

  @Plan("starter", {
    price: { amount: 19.99, currency: "eur", interval: "month" },
//                   ^^^^^ MONEY_NOT_AN_INTEGER
//                                    ^^^^^ UNKNOWN_VALUE
    limits: { requests: { rate: 60, interval: "minute" } },
    caps: { slots: 5 },
//          ^^^^^ UNKNOWN_RESOURCE
    trial: 14,
//  ^^^^^ UNKNOWN_OPTION
  })
  starter!: void;

  @Plan("growth", { minMonthlySpendCents: 200, maxMonthlySpendCents: 100 })
//      ^^^^^^^^ PLAN_RATE_LIMIT_REQUIRED
//                                        ^^^ SPEND_BOUNDS_CROSSED
  growth!: void;

  @Plan("starter")
//      ^^^^^^^^^ DUPLICATE_KEY
  again!: void;
}
