import { Feature, Meter, Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class ResourcesPriced {
  @Resource("seats", { display: "Team seats" })
  seats!: void;

  @Resource("projects")
  projects!: void;

  @Meter("stored_gb", { unit: "GB", aggregation: "time_weighted" })
  stored!: void;

  @Feature("files", { plans: ["team", "company"], routes: { "PUT /v1/files": { reports: "stored_gb" } } })
  files!: void;

  @Plan("team", {
    limits: { requests: { rate: 60, interval: "minute" } },
    caps: { seats: 50, projects: 3 },
    resources: { seats: { amountCents: 875, included: 3 } },
    meter: { stored_gb: { micros: 20_000 } },
  })
  team!: void;

  @Plan("company", {
    limits: { requests: { rate: 60, interval: "minute" } },
    resources: { seats: { amountCents: 500 } },
  })
  company!: void;
}
