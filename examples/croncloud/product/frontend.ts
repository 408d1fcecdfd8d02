// What subscribers see: navigation and pages.

import type { FrontendOptions } from "@svc/product";

export const app: FrontendOptions = {
  nav: [
    { label: "Jobs", path: "/jobs", capability: "scheduling" },
    { label: "History", path: "/history", capability: "observability" },
  ],
  pages: [
    {
      path: "/jobs",
      title: "Jobs",
      requiresAuth: true,
      capability: "scheduling",
      components: [
        { component: "feature_panel", props: { feature: "jobs" } },
        { component: "usage_card", props: { meter: "compute_ms" } },
        {
          component: "feature_panel",
          props: { feature: "alerts" },
          capability: "alerting",
          gateMode: "upsell",
        },
      ],
    },
    {
      path: "/history",
      title: "Run history",
      requiresAuth: true,
      capability: "observability",
      components: [{ component: "usage_card", props: { meter: "requests" } }],
    },
  ],
};

export const site: FrontendOptions = {
  pages: [{ path: "/status", title: "Status", requiresAuth: false }],
};
