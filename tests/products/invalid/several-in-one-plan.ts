import { Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class SeveralInOnePlan {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Feature("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": { reports: "compute" } } })
  jobs!: void;

  @Plan("starter", {
    name: 7 as never,
//        ^ WRONG_TYPE
    price: { free: true, interval: "month" } as never,
//                       ^^^^^^^^ FREE_WITH_AMOUNT
    limits: {
      requests: { rate: 60, interval: "minute", enforcement: "warn" },
//                                                           ^^^^^^ UNKNOWN_VALUE
      compute: { rate: -5, interval: "decade" },
//                     ^^ NUMBER_RANGE
//                                   ^^^^^^^^ UNKNOWN_VALUE
    },
    meter: { compute: { micros: 0.25, per: 0, includedUnits: "many" } },
//                              ^^^^ MONEY_NOT_AN_INTEGER
//                                         ^ NUMBER_RANGE
//                                                           ^^^^^^ WRONG_TYPE
    grants: [{ amountCents: 5.5, kind: "gift", expiresAfterDays: -3 }],
//                          ^^^ MONEY_NOT_AN_INTEGER
//                                     ^^^^^^ UNKNOWN_VALUE
//                                                               ^^ NUMBER_RANGE
    overageBehavior: "stop",
//                   ^^^^^^ UNKNOWN_VALUE
    spendPolicy: { disclosure: true },
//                             ^^^^ WRONG_TYPE
    archive: null as never,
//           ^^^^ WRONG_TYPE
  })
  starter!: void;
}
