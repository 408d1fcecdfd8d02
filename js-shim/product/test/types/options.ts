// Checked by the compiler in both dialects, never run: what the types must accept and refuse.

import {
  Backend, Capability, Feature, Frontend, Meter, Meters, Plan, Policy, Product, Raw, Requests, Surface, Workflow,
  capabilityGrant, creditGrant, display, percent, topUp,
} from "@svc/product";
import type { Action, Count, Grant, MeterOverage, MeterPrice, PlanOptions, Price, RateLimit, Route, Tier } from "@svc/product";

export const good: PlanOptions[] = [
  {},
  { price: { free: true } },
  { price: { amount: 100, currency: "usd", interval: "year" }, meter: { m: { micros: 1, per: 2, includedUnits: 3 } } },
  { meters: [{ meter: "m", kind: "volume", tiers: [{ upTo: null, micros: 1 }] }] },
  { archive: { at: "publish" }, raw: { any: [1, { thing: null }] } },
] as const;

// Wrong units and forms of money.
// @ts-expect-error: cents are a number
export const textPrice: Price = { amount: "19.00", currency: "usd", interval: "month" };
// @ts-expect-error: no bigint
export const bigPrice: Price = { amount: 1900n, currency: "usd", interval: "month" };
// @ts-expect-error: amount, not amountCents
export const namedPrice: Price = { amountCents: 1900, currency: "usd", interval: "month" };
// @ts-expect-error: only usd
export const euroPrice: Price = { amount: 1900, currency: "eur", interval: "month" };
// @ts-expect-error: only month and year
export const weekPrice: Price = { amount: 1900, currency: "usd", interval: "week" };
// @ts-expect-error: free has no amount
export const freePrice: Price = { free: true, amount: 0, currency: "usd", interval: "month" };
// @ts-expect-error: free is true or absent
export const notFree: Price = { free: false };
// @ts-expect-error: micros, not microcents
export const overage: MeterOverage = { microcents: 1 };
// @ts-expect-error: micros, not cents
export const overageCents: MeterOverage = { cents: 1, includedUnits: 2 };
// @ts-expect-error: amountCents, not amount
export const credit = creditGrant({ amount: 500 });
// @ts-expect-error: kinds of credit are known
export const creditKind = creditGrant({ amountCents: 500, kind: "gift" });
// @ts-expect-error: display comes from the helper
export const creditDisplay = creditGrant({ amountCents: 500, display: "x20" });
// @ts-expect-error: a factor is needed
export const multiplier = display.multiplier({});
// @ts-expect-error: all four are needed
export const buy = topUp({ sku: "s", label: "l", priceCents: 1 });
// @ts-expect-error: limits are numbers
export const capability = capabilityGrant("c", { limits: { jobs: { count: 1 } } });
// @ts-expect-error: a grant is no number
export const grant: Grant = 5;

// Limits.
// @ts-expect-error: intervals are known
export const fortnight: RateLimit = { rate: 1, interval: "fortnight" };
// @ts-expect-error: enforcements are known
export const enforced: RateLimit = { rate: 1, interval: "day", enforcement: "block" };
// @ts-expect-error: a limit is a rate or a count
export const both: RateLimit | Count = { rate: 1, interval: "day", count: 2 };
// @ts-expect-error: caps are numbers
export const caps: PlanOptions = { caps: { jobs: { count: 1 } } };

// Plans.
// @ts-expect-error: meter or meters, not both
export const meterAndMeters: PlanOptions = { meter: { m: { micros: 1 } }, meters: [] };
// @ts-expect-error: no such option
export const misspelt: PlanOptions = { limit: {} };
// @ts-expect-error: behaviours are known
export const behaviour: PlanOptions = { overageBehavior: "allow" };
// @ts-expect-error: disclosures are known
export const disclosure: PlanOptions = { spendPolicy: { disclosure: "hidden" } };
// @ts-expect-error: only at publish
export const archive: PlanOptions = { archive: { at: "now" } };
// @ts-expect-error: gates are booleans
export const gates: PlanOptions = { featureGates: ["jobs"] };
// @ts-expect-error: linear has no tiers
export const linear: MeterPrice = { meter: "m", kind: "linear", tiers: [] };
export const forms: PlanOptions[] = [
  { meter: { m: { micros: 1, per: 2, round: "up", includedUnits: { per: "n", units: 5 }, minCents: 1, maxCents: 2 } } },
  { meter: { m: { kind: "volume", tiers: [{ upTo: 1, flatMicros: 5 }, { upTo: null, micros: 1, per: 2, round: "up", flatMicros: 3 }] } } },
  { meters: [{ meter: "m", kind: "graduated", tiers: [{ upTo: null, micros: percent("2.9") }], includedUnits: 4, maxCents: 9 }] },
];
export const cells: PlanOptions[] = [
  { meter: { t: { per: 1_000_000, rates: { a: { b: 1 }, c: { d: 2 } } } }, pools: { p: { units: 1, meters: { t: 1 } } } },
  { meters: [{ meter: "t", kind: "linear", rates: { a: 1 }, round: "up" }] },
];
// @ts-expect-error: a rate for each cell, or one for all
export const ratesAndMicros: PlanOptions = { meter: { t: { micros: 1, rates: { a: 1 } } } };
// @ts-expect-error: free units of cells are a pool
export const freeCells: PlanOptions = { meter: { t: { rates: { a: 1 }, includedUnits: 5 } } };
// @ts-expect-error: rates are numbers
export const textRate: PlanOptions = { meter: { t: { rates: { a: "1" } } } };
// @ts-expect-error: a pool says its units
export const pool: PlanOptions = { pools: { p: { meters: { t: 1 } } } };
// @ts-expect-error: rounded up, or in proportion
export const roundedDown: MeterOverage = { micros: 1, round: "down" };
// @ts-expect-error: tiers say how they count
export const tiersAlone: PlanOptions = { meter: { m: { tiers: [{ upTo: null, micros: 1 }] } } };
// @ts-expect-error: a tier costs something by the unit, or by itself
export const tierOfNothing: Tier = { upTo: null };
// @ts-expect-error: what is per is rated
export const flatPer: Tier = { upTo: null, flatMicros: 1, per: 5 };
// @ts-expect-error: both are needed
export const each: MeterOverage = { micros: 1, includedUnits: { per: "members" } };
// @ts-expect-error: a share is a text
export const share = percent(2.9);
// @ts-expect-error: tiers come with graduated and volume
export const graduated: MeterPrice = { meter: "m", kind: "graduated", micros: 1 };

// Routes.
// @ts-expect-error: costs are numbers
export const cost: Route = { cost: { m: "1" } };
// @ts-expect-error: codes are numbers
export const codes: Route = { onStatusCodes: ["200"] };
// @ts-expect-error: no such option
export const route: Route = { costs: { m: 1 } };
// @ts-expect-error: a subject says where it is found
export const action: Action = { id: "a", subject: { type: "job", name: "id" } };

// Decorators.
// @ts-expect-error: origin is required
Product({ name: "p" });
// @ts-expect-error: no such option
Product({ origin: "https://a.example", url: "x" });
// @ts-expect-error: no such option
Frontend({ menu: [] });
// @ts-expect-error: JSON only
Raw({ f: () => 1 });
// @ts-expect-error: types of surfaces are known
Surface("mobile");
// @ts-expect-error: aggregations are known
Meter("m", { aggregation: "avg" });
// @ts-expect-error: attributes are a list
Meter("m", { by: "model" });
// @ts-expect-error: options of each meter
Meters({ m: "ms" });
// @ts-expect-error: an estimate is a number
Meter("m", { estimate: "1" });
// @ts-expect-error: requests have no routeDefault
Requests({ routeDefault: 1 });
// @ts-expect-error: windows are intervals
Requests({ window: "year" });
// @ts-expect-error: classes of mutation are known
Capability("c", { mutationClass: "static" });
// @ts-expect-error: methods are upper-case
Feature("f", { routes: { "get /a": {} } });
// @ts-expect-error: a path is absolute
Feature("f", { routes: { "GET a": {} } });
// @ts-expect-error: a key is required
Plan();
// @ts-expect-error: JSON only
Workflow("w", { trigger: () => 1 });
// @ts-expect-error: modes are known
Backend("b", { transport: { mode: "proxy" } });
// @ts-expect-error: kinds are known
Policy("p", { kind: "cors" });
// @ts-expect-error: options are required
Policy("p");

// @ts-expect-error: what is given once is not kept over periods
creditGrant({ amountCents: 5, rolloverPeriods: 2 });
creditGrant({ amountCents: 5, recurs: true, rolloverPeriods: 2 });
creditGrant({ amountCents: 5, meters: ["tokens"] });
// @ts-expect-error: no meter at all
creditGrant({ amountCents: 5, meters: [] });
// @ts-expect-error: meters are a list
topUp({ sku: "ten", label: "Ten", priceCents: 10, creditCents: 10, meters: "tokens" });
declare const recurs: boolean;
creditGrant({ amountCents: 5, recurs });
topUp({ sku: "any", label: "Any amount", minCents: 500, maxCents: 100_000, feeBasisPoints: 550, expiresAfterDays: 365 });
// @ts-expect-error: a price, or an amount of the buyer's choice
topUp({ sku: "any", label: "Any amount", minCents: 500, maxCents: 100_000, priceCents: 5 });
// @ts-expect-error: a price without its credit
topUp({ sku: "five", label: "Five", priceCents: 5 });

Plan("p", { price: { amount: 900, currency: "usd", interval: "month", intro: { amount: 100, periods: 3 } } });
// @ts-expect-error: for how many periods
Plan("p", { price: { amount: 900, currency: "usd", interval: "month", intro: { amount: 100 } } });
// @ts-expect-error: what is free has no other beginning
Plan("p", { price: { free: true, intro: { amount: 100, periods: 3 } } });
Plan("p", { price: { amount: 87_000, currency: "usd", interval: "year", billed: "advance", usageInterval: "month" } });
declare const interval: "month" | "year";
Plan("p", { price: { amount: 5, currency: "usd", interval, billed: "arrears" } });
// @ts-expect-error: a month's usage is billed each month anyway
Plan("p", { price: { amount: 5, currency: "usd", interval: "month", usageInterval: "month" } });
// @ts-expect-error: what is free is never charged
Plan("p", { price: { free: true, billed: "advance" } });

@Product({ origin: "https://a.example" })
@Frontend({})
export class Places {
  @Meter("a") field!: void;
  @Meter("b") typed: number = 1;

  // @ts-expect-error: not on a method
  @Meter("c") method(): void {}

  // @ts-expect-error: not on an accessor
  @Meter("d") get accessor(): number {
    return 1;
  }

  // @ts-expect-error: a class decorator
  @Raw({}) raw!: void;

  // @ts-expect-error: without its parentheses
  @Meter bare!: void;
}

// @ts-expect-error: a member decorator
@Plan("p")
export class Misplaced {}

// @ts-expect-error: without its parentheses
@Product
export class Bare {}
