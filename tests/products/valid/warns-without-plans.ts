import { Feature, Meter, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WarnsWithoutPlans {
  @Meter("compute")
  compute!: void;

  @Feature("jobs", { routes: { "POST /v1/jobs": { reports: "compute" } } })
//         ^^^^^^ FEATURE_UNGRANTED
  jobs!: void;
}
