import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class RouteKeyIdentifier {
  @Feature("jobs", { plans: ["starter"], routes: { jobs: {} } as never })
//                                                 ^^^^ ROUTE_KEY_FORM
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
