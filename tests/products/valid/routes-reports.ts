import { Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class RoutesReports {
  @Meter("compute")
  @Meter("egress")
  @Meter("tokens")
  meters!: void;

  @Feature("jobs", {
    plans: ["starter"],
    routes: {
      "POST /v1/a": { report: "compute" },
      "POST /v1/b": { reports: "compute" },
      "POST /v1/c": { reports: ["compute", "egress", "compute"] },
      "POST /v1/d": { report: "tokens", reports: ["compute", "egress"] },
      "POST /v1/e": { report: ["tokens"], cost: { compute: 1 } },
    },
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
