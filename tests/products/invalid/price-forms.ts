import { Meter, Plan, Product, percent } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Meter("a") @Meter("b") @Meter("c") @Meter("d") usage!: void;

  @Plan("bounds", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meter: {
      a: { micros: 5, minCents: 200, maxCents: 100 },
//                              ^^^ SPEND_BOUNDS_CROSSED
//    ^ PRICED_METER_UNBOUND
      b: { micros: 5, round: "down" } as never,
//                           ^^^^^^ UNKNOWN_VALUE
//    ^ PRICED_METER_UNBOUND
      c: { micros: percent("0.125") },
//                 ^^^^^^^^^^^^^^^^ MONEY_NOT_AN_INTEGER
      d: { kind: "volume", micros: 5, tiers: [{ upTo: null }] } as never,
//                         ^^^^^^ UNKNOWN_OPTION
//                                            ^^^^^^^^^^^^^^ OPTION_REQUIRED
    },
  })
  bounds!: void;

  @Plan("circle", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meter: {
      a: { micros: 5, includedUnits: { per: "b", units: 1 } },
//                                          ^^^ INCLUDED_UNITS_CIRCLE
//    ^ PRICED_METER_UNBOUND
      b: { micros: 5, includedUnits: { per: "a", units: 1 } },
//                                          ^^^ INCLUDED_UNITS_CIRCLE
//    ^ PRICED_METER_UNBOUND
      c: { micros: 5, includedUnits: { per: "members", units: 1 } },
//                                          ^^^^^^^^^ UNKNOWN_METER
//    ^ PRICED_METER_UNBOUND
      d: { micros: 5, includedUnits: { per: "a", unit: 1 } } as never,
//                                               ^^^^ UNKNOWN_OPTION
//                                   ^^^^^^^^^^^^^^^^^^^^^ OPTION_REQUIRED
    },
  })
  circle!: void;

  @Plan("itself", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meters: [{ meter: "a", kind: "linear", micros: 5, includedUnits: { per: "a", units: 1 } }],
//           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ PRICED_METER_UNBOUND
//                                                                          ^^^ INCLUDED_UNITS_CIRCLE
  })
  itself!: void;
}
