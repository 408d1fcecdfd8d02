import { Feature, Meter, Plan, Product, creditGrant } from "@svc/product";
import type { PlanOptions, CreditGrantOptions } from "@svc/product";

const CENTS_PER_DOLLAR = 100;
const dollars = (amount: number) => ({ amount: amount * CENTS_PER_DOLLAR, currency: "usd" as const, interval: "month" as const });

const base = {
  limits: { requests: { rate: 60, interval: "minute" } },
  selfServeEnabled: true,
} satisfies PlanOptions;

const keys = ["starter", "growth"] as const;

function credit(amountCents: number, rest: Partial<CreditGrantOptions> = {}) {
  return creditGrant({ amountCents, ...rest });
}

@Product({ origin: "https://api.example.com" })
export default class BuiltWithHelpers {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Feature("jobs", { plans: [...keys], routes: { "POST /v1/jobs": { reports: "compute" } } })
  jobs!: void;

  @Plan(keys[0], { ...base, price: dollars(19), grants: [credit(500)] })
  starter!: void;

  @Plan(keys[1], {
    ...base,
    price: dollars(99),
    limits: { ...base.limits, compute: { rate: 1_000, interval: "hour" } },
    meter: { compute: { micros: 20 } },
    grants: [credit(5_000, { recurs: true }), ...[10, 50].map((usd) => credit(usd * CENTS_PER_DOLLAR, { kind: "promo" }))],
  })
  growth!: void;
}
