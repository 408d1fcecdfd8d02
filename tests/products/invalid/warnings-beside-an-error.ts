import { Capability, Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WarningsBesideAnError {
  @Meter("idle", { unit: false as never })
//                       ^^^^^ WRONG_TYPE
  idle!: void;

  @Capability("export")
//            ^^^^^^^^ CAPABILITY_UNGRANTED
  exports!: void;

  @Feature("jobs", {
//         ^^^^^^ FEATURE_UNGRANTED
    routes: { "GET /v1/jobs/{id}": {}, "GET /v1/jobs/latest": {} },
//                                     ^^^^^^^^^^^^^^^^^^^^^ ROUTE_SHADOWED
  })
  jobs!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meter: { idle: { micros: 20 } },
//           ^^^^ PRICED_METER_UNBOUND
  })
  starter!: void;
}
