import { Feature, Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class Actions {
  @Resource("slots")
  slots!: void;

  @Feature("jobs", {
    plans: ["starter"],
    actions: [
      {
        id: "jobs.create",
        kind: "mutation",
        title: "Create a job",
        resource: { resource: "slots", effect: "create" },
        audit: "full",
      },
      {
        id: "jobs.delete",
        kind: "mutation",
        subject: { type: "job", from: "path_param", name: "id" },
        resource: { resource: "slots", effect: "delete" },
      },
      { id: "jobs.read", kind: "query" },
    ],
    routes: {
      "POST /v1/jobs": { action: "jobs.create" },
      "DELETE /v1/jobs/{id}": { action: "jobs.delete" },
      "GET /v1/jobs/{id}": { action: "jobs.read" },
    },
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
