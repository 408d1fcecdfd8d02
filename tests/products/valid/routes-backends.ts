import { Backend, Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class RoutesBackends {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Backend("main", {
    name: "Main",
    slug: "main",
    originUrl: "https://main.example.com",
    transport: { mode: "direct" },
    verification: { required: true },
    meters: ["compute"],
    default: true,
  })
  main!: void;

  @Backend("lab", { transport: { mode: "tunnel" }, verification: { required: false }, meters: [] })
  lab!: void;

  @Feature("jobs", {
    plans: ["starter"],
    routes: { "POST /v1/jobs": { backend: "main", reports: "compute" }, "POST /v1/lab": { backend: "lab" } },
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
