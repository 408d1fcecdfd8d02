import { Feature, Plan, Product, Requests } from "@svc/product";

@Product({ origin: "https://api.example.com", billOn4xx: true })
export default class RoutesBillOn4xx {
  @Requests()
  requests!: void;

  @Feature("jobs", {
    plans: ["starter"],
    routes: { "POST /v1/jobs": {}, "GET /v1/jobs": { onStatusCodes: "200-299" } },
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
