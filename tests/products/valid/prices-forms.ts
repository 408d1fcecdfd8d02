import { Feature, Meter, Plan, Product, percent } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Meter("emails") @Meter("users", { aggregation: "max" }) @Meter("members", { aggregation: "last" }) @Meter("minutes") @Meter("volume_cents")
  usage!: void;

  @Feature("all", {
    plans: ["short", "long"],
    routes: { "POST /v1/use": { reports: ["emails", "users", "members", "minutes", "volume_cents"] } },
  })
  all!: void;

  @Plan("short", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meter: {
      emails: { micros: 900_000, per: 1_000, round: "up", includedUnits: 50_000 },
      users: {
        kind: "volume",
        tiers: [
          { upTo: 500, flatMicros: 35_000_000 },
          { upTo: 1_000, flatMicros: 70_000_000 },
          { upTo: null, flatMicros: 70_000_000, micros: 80_000, per: 10, round: "up" },
        ],
        minCents: 3_500,
      },
      minutes: { kind: "linear", micros: 5_000, includedUnits: { per: "members", units: 500 }, maxCents: 5_900 },
      volume_cents: { micros: percent("2.9") },
    },
  })
  short!: void;

  @Plan("long", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meters: [
      { meter: "emails", kind: "linear", micros: 900_000, per: 1_000, round: "up" },
      {
        meter: "minutes",
        kind: "graduated",
        tiers: [
          { upTo: 100, flatMicros: 0, micros: 7 },
          { upTo: null, micros: 5 },
        ],
        includedUnits: { per: "members", units: 0.5 },
        minCents: 100,
        maxCents: 100,
      },
      { meter: "volume_cents", kind: "linear", micros: percent("0.05") },
    ],
  })
  long!: void;
}
