import { Feature, Meter, Plan, Product } from "@svc/product";

/** GB-seconds on two processors, each in tiers of its own; 400,000 of them free together, before any tier begins. */
@Product({ origin: "https://api.functions.example" })
export default class Functions {
  @Meter("x86", { unit: "GB-second" })
  @Meter("arm", { unit: "GB-second" })
  compute!: void;

  @Feature("run", { plans: ["pay_as_you_go"], routes: { "POST /v1/invocations": { reports: ["x86", "arm"] } } })
  run!: void;

  @Plan("pay_as_you_go", {
    limits: { requests: { rate: 6_000, interval: "minute" } },
    pools: { free_tier: { units: 400_000, meters: { x86: 1, arm: 1 } } },
    meter: {
      x86: {
        kind: "graduated",
        tiers: [
          { upTo: 6_000_000_000, micros: 166_667, per: 10_000 },
          { upTo: 15_000_000_000, micros: 15, per: 1 },
          { upTo: null, micros: 133_334, per: 10_000 },
        ],
      },
      arm: {
        kind: "graduated",
        tiers: [
          { upTo: 7_500_000_000, micros: 133_334, per: 10_000 },
          { upTo: 18_750_000_000, micros: 120_001, per: 10_000 },
          { upTo: null, micros: 106_667, per: 10_000 },
        ],
      },
    },
  })
  payAsYouGo!: void;
}
