/** What was used in a period, and what that comes to before anybody pays. */
export interface Used {
  /** Decimal text, as far as a billionth. */
  readonly quantity: string;
  readonly ratedNanos: bigint;
}

/** What a meter came to in a period; of one that counts by attributes all of them together. */
export interface MeterUse extends Used {
  /** Of a meter that counts by attributes: what each combination of their values came to, in their order. */
  readonly cells: readonly CellUse[];
}

/** What one combination of the values of a meter's attributes came to. */
export interface CellUse extends Used {
  readonly by: { readonly [attribute: string]: string };
}

/** A bill of one period. Cents are numbers; nanodollars (10^-9 dollar) are bigints. */
export interface Bill {
  /** The plan at the period's end. */
  readonly plan: string;
  /** First moment of the period. A scenario begins at 2026-01-01T00:00:00Z. */
  readonly periodStart: string;
  /** First moment after it. */
  readonly periodEnd: string;
  readonly currency: string;
  readonly recurringFeeCents: number;
  /** What is owed beside the fee, rounded down to a cent. */
  readonly usageCents: number;
  /** What the plan's least adds. */
  readonly trueUpCents: number;
  /** The sum, rounded down once. Negative where more is given back than charged. */
  readonly totalCents: number;
  /** What of a negative sum is taken off the next period instead: zero or less. */
  readonly carriedCents: number;
  readonly trueUpNanos: bigint;
  /** What was owed below a cent and is not charged. */
  readonly roundingNanos: bigint;
  /** What usage comes to, before anybody pays. */
  readonly ratedNanos: bigint;
  /** What credit paid of it. */
  readonly fundedNanos: bigint;
  /** What the subscriber owes beside the fee. */
  readonly receivableNanos: bigint;
  /** What is left of all credit. */
  readonly creditLeftNanos: bigint;
  /** Charges that were made. */
  readonly charges: number;
  /** Uses that the plan denied. */
  readonly denied: number;
  readonly meters: { readonly [meter: string]: MeterUse };
  /** Compares the bill with the golden one of this name, which `svc test --update` writes beside the test file. */
  matchesGolden(name: string): void;
}

/** A quantity: a number, a bigint, or a decimal text with up to nine digits behind the point. */
export type Quantity = number | bigint | string;

/** So much of a meter that counts by attributes, with the value of each. */
export interface UsedCell {
  readonly units: Quantity;
  readonly by: { readonly [attribute: string]: string };
}

/** A value of a meter that counts distinct values by attributes, with the value of each of those. */
export interface UniqueCell {
  readonly uniqueKey: string;
  readonly by: { readonly [attribute: string]: string };
}

/** What is used of a meter: so much; of one that counts by attributes, so much of one combination of their values or of several; of one that
 * counts distinct values, these values. */
export type MeterUsage = Quantity | readonly string[] | UsedCell | UniqueCell | readonly (UsedCell | UniqueCell)[];

/** A subscriber at a point of a life. Every method but the last two gives another subscriber; none changes one. */
export interface Subscriber {
  /** Uses so much of meters: `{ tokens: { units: 90, by: { model: "m-large" } } }` of one that counts by attributes. */
  uses(meters: { readonly [meter: string]: MeterUsage }): Subscriber;
  /** Is served a request: `"POST /v1/jobs"`. Its route's costs count where the status does, and what is reported. */
  uses(
    route: string,
    options?: {
      readonly status?: number;
      readonly times?: number;
      readonly reports?: { readonly [meter: string]: Quantity | UsedCell | readonly UsedCell[] };
    },
  ): Subscriber;
  /** Lets time pass: `"15d"`, `"12h"`, `"1mo"`, `"1y"`. Periods that end are invoiced. */
  after(span: string): Subscriber;
  /** Moves to another plan, at once. */
  movesTo(plan: string, options?: { readonly proration?: "none" | "prorate" | "credit" }): Subscriber;
  /** The open period's bill, as if it ended without more usage. A check that answers `false` fails the test. */
  bill(check?: (bill: Bill) => boolean | void): Bill;
  /** The bills of the periods that ended, oldest first. */
  invoices(): Bill[];
}

/** Somebody new on a plan. */
export declare function given(plan: string): Subscriber;

/** Names a test. */
export declare function test(name: string, run: () => void | Promise<void>): void;

/** Fails unless the two are the same, as `Object.is` has it. */
export declare function equal<T>(actual: T, expected: T, message?: string): void;

/** Fails unless it holds. */
export declare function assert(condition: unknown, message?: string): asserts condition;

/** A generator of lives; made by {@link usage}. */
export interface Usage {
  readonly meters: readonly string[] | null;
  readonly steps: number;
  readonly time: boolean;
}

/** Lives of a plan's subscribers: usage of its priced meters (or of these), in at most so many steps (6), with time passing (true) or not. */
export declare function usage(options?: { readonly meters?: readonly string[]; readonly steps?: number; readonly time?: boolean }): Usage;

/** How often a rule is tried: 200 times unless told. */
export interface RuleOptions {
  readonly runs?: number;
}

/**
 * Tries a rule on generated lives. It is broken where it throws or answers `false`; then the life is made smaller as long as it still breaks
 * the rule, and the smallest is shown with its seed.
 */
export declare function forAll(
  plan: string,
  lives: Usage,
  rule: (subscriber: Subscriber) => boolean | void,
  options?: RuleOptions,
): void;

/** A rule: one unit more of any meter of the plan costs no less. Volume tiers may break it. */
export declare function moreNeverCostsLess(plan: string, options?: RuleOptions): void;

/** A rule: no bill of the plan is above its `maxMonthlySpendCents`. */
export declare function neverAboveMost(plan: string, options?: RuleOptions): void;

/** A rule: usage is not charged again by a move between the plans. */
export declare function moveNeverChargesTwice(from: string, to: string, options?: RuleOptions): void;

/** A rule: no bill of the plan comes to anything. */
export declare function freeStaysFree(plan: string, options?: RuleOptions): void;
