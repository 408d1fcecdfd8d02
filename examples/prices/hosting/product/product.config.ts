import { Feature, Meter, Plan, Product } from "@svc/product";

/** Members 19 dollars; 500 build minutes for each; bandwidth in started hundreds of GB past 500. */
@Product({ origin: "https://api.hosting.example" })
export default class Hosting {
  @Meter("members", { unit: "member", aggregation: "max" })
  members!: void;

  @Meter("build_minutes", { unit: "minute" })
  @Meter("bandwidth", { unit: "GB" })
  usage!: void;

  @Feature("sites", {
    plans: ["pro"],
    routes: { "POST /v1/deploys": { reports: ["members", "build_minutes", "bandwidth"] } },
  })
  sites!: void;

  @Plan("pro", {
    limits: { requests: { rate: 600, interval: "minute" } },
    meter: {
      members: { micros: 19_000_000 },
      build_minutes: { micros: 5_000_000, per: 1_000, includedUnits: { per: "members", units: 500 } },
      bandwidth: { micros: 15_000_000, per: 100, round: "up", includedUnits: 500 },
    },
  })
  pro!: void;
}
