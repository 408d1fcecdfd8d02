import { Feature, Meter, Plan, Product } from "@svc/product";

/** Hosts at 15 dollars, each with 100 metrics and 5 containers; logs by retention. */
@Product({ origin: "https://api.observe.example" })
export default class Observe {
  @Meter("hosts", { aggregation: "max" })
  @Meter("series", { unit: "metric", aggregation: "max" })
  @Meter("containers", { aggregation: "time_weighted" })
  @Meter("logs", { unit: "event", by: ["days"] })
  usage!: void;

  @Feature("ingest", { plans: ["pro"], routes: { "POST /v1/ingest": { reports: ["hosts", "series", "containers", "logs"] } } })
  ingest!: void;

  @Plan("pro", {
    limits: { requests: { rate: 600, interval: "minute" } },
    meter: {
      hosts: { micros: 15_000_000 },
      series: { micros: 5_000_000, per: 100, round: "up", includedUnits: { per: "hosts", units: 100 } },
      containers: { micros: 1_000_000, includedUnits: { per: "hosts", units: 5 } },
      logs: { per: 1_000_000, rates: { d3: 1_060_000, d15: 1_700_000, d30: 2_500_000 } },
    },
  })
  pro!: void;
}
