import { Backend, Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownBackend {
  @Backend("main")
  main!: void;

  @Feature("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": { backend: "mian" } } })
//                                                                             ^^^^^^ UNKNOWN_BACKEND
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
