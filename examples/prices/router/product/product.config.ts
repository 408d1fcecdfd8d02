import { Feature, Meter, Plan, Product, topUp } from "@svc/product";

/** Prepaid credit of any amount from 5 dollars, 5.5 % on top; what is not bought beforehand is not served. */
@Product({ origin: "https://api.router.example" })
export default class Router {
  @Meter("tokens", { unit: "token" })
  tokens!: void;

  @Feature("route", { plans: ["prepaid"], routes: { "POST /v1/chat": { reports: "tokens" } } })
  route!: void;

  @Plan("prepaid", {
    limits: { requests: { rate: 600, interval: "minute" } },
    meter: { tokens: { micros: 1_250_000, per: 1_000_000 } },
    overageBehavior: "block",
    grants: [
      topUp({
        sku: "credit",
        label: "Credit",
        minCents: 500,
        maxCents: 1_000_000,
        feeBasisPoints: 550,
        expiresAfterDays: 365,
      }),
    ],
  })
  prepaid!: void;
}
