import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class PositionComputedRoutes {
  @Feature("jobs", {
    plans: ["starter"],
    routes: Object.fromEntries(["a", "b"].map((name) => [`GET /v1/${name}`, name === "a" ? {} : { cost: { ms: 1 } }])),
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ UNKNOWN_METER
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
