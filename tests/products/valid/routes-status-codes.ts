import { Feature, Plan, Product, Requests } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class RoutesStatusCodes {
  @Requests()
  requests!: void;

  @Feature("jobs", {
    plans: ["starter"],
    routes: {
      "POST /v1/a": { onStatusCodes: "200-299,404" },
      "POST /v1/b": { onStatusCodes: "404" },
      "POST /v1/c": { onStatusCodes: [200, 201, 404] },
      "POST /v1/d": { onStatusCodes: " 300 - 399 , 200-302, 599" },
      "POST /v1/e": { onStatusCodes: [100] },
    },
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
