import { Feature, Meter, Plan, Product, creditGrant } from "@svc/product";

/** 25 dollars with 10 dollars of compute a month; compute at 0.01344 an hour, egress at 0.09 a GB after 250. */
@Product({ origin: "https://api.database.example" })
export default class Database {
  @Meter("compute", { unit: "hour" })
  compute!: void;

  @Meter("egress", { unit: "GB" })
  egress!: void;

  @Feature("query", { plans: ["pro"], routes: { "POST /v1/query": { reports: ["compute", "egress"] } } })
  query!: void;

  @Plan("pro", {
    price: { amount: 2_500, currency: "usd", interval: "month" },
    limits: { requests: { rate: 6_000, interval: "minute" } },
    meter: { compute: { micros: 13_440 }, egress: { micros: 90_000, includedUnits: 250 } },
    grants: [creditGrant({ amountCents: 1_000, recurs: true, meters: ["compute"], label: "Compute credit" })],
  })
  pro!: void;
}
