import { Capability, Feature, Frontend, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Frontend({
  nav: [
    { label: "Home", path: "/" },
    { label: "Jobs", path: "/jobs", capability: "scheduling" },
  ],
  pages: [
    {
      path: "/jobs",
      title: "Jobs",
      requiresAuth: true,
      capability: "scheduling",
      components: [
        { component: "usage_card", props: { meter: "compute", wide: true, rows: [1, 2] } },
        { component: "feature_panel", props: { feature: "jobs" }, capability: "scheduling", gateMode: "upsell" },
        { component: "own_chart" },
      ],
    },
  ],
})
export default class FrontendShop {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Feature("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": { reports: "compute" } } })
  jobs!: void;

  @Capability("scheduling", { includesFeatures: ["jobs"] })
  scheduling!: void;

  @Plan("starter", { capabilities: ["scheduling"], limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
