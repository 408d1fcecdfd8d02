import { Feature, Meter, Plan, Product, creditGrant } from "@svc/product";

/** 20 dollars a seat; 20 dollars of usage are included, which pay for usage and for no seat. */
@Product({ origin: "https://api.edge.example" })
export default class Edge {
  @Meter("seats", { unit: "seat", aggregation: "max" })
  seats!: void;

  @Meter("requests", { unit: "request" })
  requests!: void;

  @Meter("transfer", { unit: "GB" })
  transfer!: void;

  @Feature("deploy", {
    plans: ["pro"],
    routes: { "POST /v1/members": { reports: "seats" }, "GET /v1/serve": { reports: ["requests", "transfer"] } },
  })
  deploy!: void;

  @Plan("pro", {
    limits: { requests: { rate: 6_000, interval: "minute" } },
    meter: {
      seats: { micros: 20_000_000 },
      requests: { micros: 2_000_000, per: 1_000_000 },
      transfer: { micros: 150_000 },
    },
    grants: [creditGrant({ amountCents: 2_000, recurs: true, meters: ["requests", "transfer"], label: "Included usage" })],
  })
  pro!: void;
}
