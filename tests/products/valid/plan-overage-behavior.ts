import { Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class PlanOverageBehavior {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Feature("jobs", { plans: ["hard", "soft"], routes: { "POST /v1/jobs": { reports: "compute" } } })
  jobs!: void;

  @Plan("hard", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meter: { compute: { micros: 20, includedUnits: 1_000 } },
    maxMonthlySpendCents: 1_000,
    overageBehavior: "block",
  })
  hard!: void;

  @Plan("soft", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meter: { compute: { micros: 20, includedUnits: 1_000 } },
    overageBehavior: "allow_and_bill",
  })
  soft!: void;
}
