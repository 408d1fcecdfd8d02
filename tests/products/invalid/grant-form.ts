import { Meter, Plan, Product, creditGrant, topUp } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class GrantForm {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [
      creditGrant({ amountCents: 3_000, rolloverPeriods: 2 } as never),
//                                      ^^^^^^^^^^^^^^^ GRANT_FORM
      creditGrant({ amountCents: 3_000, recurs: true, rolloverPeriods: 1_201 }),
//                                                                     ^^^^^ NUMBER_RANGE
      creditGrant({ amountCents: 3_000, recurs: true, rolloverPeriods: 0 }),
//                                                                     ^ NUMBER_RANGE
      topUp({ sku: "both", label: "Both", minCents: 500, maxCents: 100_000, priceCents: 5, creditCents: 5 } as never),
//                                                                          ^^^^^^^^^^ GRANT_FORM
//                                                                                         ^^^^^^^^^^^ GRANT_FORM
      topUp({ sku: "crossed", label: "Crossed", minCents: 501, maxCents: 500 }),
//                                                        ^^^ SPEND_BOUNDS_CROSSED
      topUp({ sku: "nothing", label: "Nothing", minCents: 0, maxCents: 500 }),
//                                                        ^ NUMBER_RANGE
      topUp({ sku: "dear", label: "Dear", minCents: 1, maxCents: 500, feeBasisPoints: 10_001 }),
//                                                                                    ^^^^^^ NUMBER_RANGE
      topUp({ sku: "half1", label: "Half", minCents: 1 } as never),
//    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ OPTION_REQUIRED
      creditGrant({ amountCents: 1, meters: [] as never }),
//                                          ^^ GRANT_FORM
      creditGrant({ amountCents: 1, meters: ["compute", "compute"] }),
//                                                      ^^^^^^^^^ GRANT_FORM
      creditGrant({ amountCents: 1, meters: ["compute", "compote"] }),
//                                                      ^^^^^^^^^ UNKNOWN_METER
      topUp({ sku: "some", label: "Some", priceCents: 1, creditCents: 1, meters: ["egress"] }),
//                                                                                ^^^^^^^^ UNKNOWN_METER
      topUp({ sku: "half2", label: "Half", minCents: 1, maxCents: 2, expiresAfterDays: 0 }),
//                                                                                     ^ NUMBER_RANGE
    ],
  })
  starter!: void;
}
