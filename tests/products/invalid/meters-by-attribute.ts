import { Feature, Meter, Meters, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Meter("tokens", { by: ["model", "kind"] })
  @Meter("plain")
  @Meter("twice", { by: ["model", "model"] })
//                                ^^^^^^^ DUPLICATE_KEY
  @Meters({
    peak: { aggregation: "max" },
    plain: {},
//  ^^^^^ DUPLICATE_KEY
    spare: { units: "x" } as never,
//           ^^^^^ UNKNOWN_OPTION
  })
  usage!: void;

  @Feature("all", {
    plans: ["rates", "pools"],
    routes: {
      "POST /v1/use": { reports: ["tokens", "plain", "peak", "twice"] },
      "POST /v1/fixed": { cost: { tokens: 5 } },
//                                        ^ ATTRIBUTES_UNSAID
    },
  })
  all!: void;

  @Plan("rates", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meter: {
      tokens: { rates: { "m-large": { input: 5 }, "m-small": 5 } },
//                                                           ^ RATES_FORM
      plain: { rates: { x: 5 } },
//             ^^^^^ RATES_FORM
      twice: { micros: 5, includedUnits: { per: "tokens", units: 1 } },
//    ^^^^^ RATES_FORM
//                                              ^^^^^^^^ ATTRIBUTES_UNSAID
    },
  })
  rates!: void;

  @Plan("pools", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meter: { plain: { micros: 5, includedUnits: 5 } },
    pools: {
      a: { units: 5, meters: { plain: 1, peak: 1, tokens: 0, plane: 1 } },
//                             ^^^^^ POOL_METER
//                                       ^^^^ POOL_METER
//                                                        ^ NUMBER_RANGE
//                                                           ^^^^^ UNKNOWN_METER
      b: { units: 5, meters: { tokens: 1 } },
      c: { units: 5, meters: { tokens: 1 } },
//                             ^^^^^^ POOL_METER
    },
  })
  pools!: void;
}
