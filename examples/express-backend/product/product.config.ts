import { Feature, Meter, Plan, Product, Requests } from "@svc/product";
import { features, meters, plans } from "./keys.ts";

@Product({ name: "jobs", origin: "http://127.0.0.1:3000", displayName: "Jobs" })
export default class Jobs {
  @Requests()
  requests!: void;

  @Meter(meters.compute, { display: "Compute", unit: "ms" })
  compute!: void;

  @Feature(features.jobs, {
    plans: [plans.starter],
    routes: {
      "POST /v1/jobs": { reports: meters.compute, estimates: { [meters.compute]: 250 } },
    },
  })
  jobs!: void;

  @Plan(plans.starter, {
    price: { amount: 1_900, currency: "usd", interval: "month" },
    limits: { requests: { rate: 600, interval: "minute" } },
    meter: { [meters.compute]: { micros: 12 } },
  })
  starter!: void;
}
