import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Feature("jobs", {
    plans: ["starter"],
    routes: { "GET /v1/jobs": {}, "POST /v1/jobs": {}, "GET /v1/jobs": { unmetered: true } },
//                                                     ^^^^^^^^^^^^^^ KEY_WRITTEN_TWICE
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
