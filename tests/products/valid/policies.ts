import { Feature, Plan, Policy, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class Policies {
  @Policy("signed-in", { kind: "auth", config: { scheme: "bearer", scopes: ["jobs:read"] } })
  signedIn!: void;

  @Policy("throttle", { kind: "rate_limit", config: { burst: 10 } })
  throttle!: void;

  @Policy("own", { kind: "custom" })
  own!: void;

  @Feature("jobs", { plans: ["starter"], policies: ["signed-in", "throttle"], routes: { "POST /v1/jobs": {} } })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
