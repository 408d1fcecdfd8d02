import { Feature as F, Meter as M, Plan as P, Product as Define } from "@svc/product";

@Define({ origin: "https://api.example.com" })
export default class ImportAliases {
  @M("compute", { unit: "ms" })
  compute!: void;

  @F("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": { reports: "compute" } } })
  jobs!: void;

  @P("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
