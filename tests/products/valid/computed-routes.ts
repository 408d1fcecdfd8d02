import { Feature, Meter, Plan, Product, Resource } from "@svc/product";
import type { Route, Routes } from "@svc/product";

const routes: Record<string, Route> = {};
for (const noun of ["jobs", "alerts", "teams"]) {
  routes[`GET /v1/${noun}`] = {};
  routes[`POST /v1/${noun}`] = { cost: { compute: noun.length } };
  for (const verb of ["start", "stop"]) routes[`POST /v1/${noun}/{id}/${verb}`] = { unmetered: verb === "stop" };
}

const caps = Object.fromEntries(["slots"].map((name, index) => [name, index + 5]));

@Product({ origin: "https://api.example.com" })
export default class ComputedRoutes {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Resource("slots")
  slots!: void;

  @Feature("all", { plans: ["starter"], routes: routes as Routes })
  all!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } }, caps })
  starter!: void;
}
