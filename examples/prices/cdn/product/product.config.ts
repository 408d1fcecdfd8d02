import { Feature, Meter, Meters, Plan, Product } from "@svc/product";

/** Up to 10, 50 and 150 terabytes, and past them. */
const tiers = (...micros: number[]) => [10_000, 50_000, 150_000, null].map((upTo, place) => ({ upTo, micros: micros[place] }));

/** A CDN: each region has its own tiers; a terabyte of all regions together is free; requests by protocol, per started 10,000. */
@Product({ origin: "https://api.cdn.example" })
export default class Cdn {
  @Meters({ egress_us: { unit: "GB" }, egress_in: { unit: "GB" }, egress_sa: { unit: "GB" } })
  @Meter("requests", { unit: "request", by: ["protocol"] })
  traffic!: void;

  @Feature("edge", { plans: ["payg"], routes: { "POST /v1/usage": { reports: ["egress_us", "egress_in", "egress_sa", "requests"] } } })
  edge!: void;

  @Plan("payg", {
    limits: { requests: { rate: 600, interval: "minute" } },
    pools: { free: { units: 1_000, meters: { egress_us: 1, egress_in: 1, egress_sa: 1 } } },
    meter: {
      egress_us: { kind: "graduated", tiers: tiers(85_000, 80_000, 60_000, 40_000) },
      egress_in: { kind: "graduated", tiers: tiers(109_000, 85_000, 82_000, 80_000) },
      egress_sa: { kind: "graduated", tiers: tiers(110_000, 105_000, 90_000, 80_000) },
      requests: { per: 10_000, round: "up", rates: { http: 7_500, https: 10_000 } },
    },
  })
  payg!: void;
}
