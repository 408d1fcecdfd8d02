import { Feature, Plan, Product } from "@svc/product";

// A plan is named by its key, not by its display name or its member.

@Product({ origin: "https://api.example.com" })
export default class UnknownPlanByName {
  @Feature("jobs", { plans: ["starter", "growth"], routes: { "POST /v1/jobs": {} } })
//                                      ^^^^^^^^ UNKNOWN_PLAN
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;

  @Plan("growth-2024", { name: "growth", limits: { requests: { rate: 600, interval: "minute" } } })
  growth!: void;
}
