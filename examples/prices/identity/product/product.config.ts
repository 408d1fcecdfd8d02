import { Feature, Meter, Plan, Product } from "@svc/product";

/** A flat price for the tier of active users that one is in. */
@Product({ origin: "https://api.identity.example" })
export default class Identity {
  @Meter("active_users", { unit: "user", aggregation: "unique" })
  users!: void;

  @Plan("growth", {
    limits: { requests: { rate: 600, interval: "minute" } },
    meter: {
      active_users: {
        kind: "volume",
        tiers: [
          { upTo: 500, flatMicros: 35_000_000 },
          { upTo: 1_000, flatMicros: 70_000_000 },
          { upTo: 2_500, flatMicros: 175_000_000 },
          { upTo: null, flatMicros: 350_000_000 },
        ],
      },
    },
  })
  growth!: void;
}
