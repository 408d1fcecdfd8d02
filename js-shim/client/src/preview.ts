// The bill preview's two shapes, and the reading of what the service sends. Amounts stay the texts they are.

/** The subscriber's money position. Switch on `disclosure`. */
export type BillPreview = TransparentPreview | OpaquePreview;

interface PreviewCommon {
  /** Such as `usd`. */
  currency: string;
  /** The subscription's recurring price, in cents. */
  recurringFeeCents: number;
}

/** Everything, in nanodollars. */
export interface TransparentPreview extends PreviewCommon {
  disclosure: "transparent";
  /** One entry a rating window. */
  windows: PreviewWindow[];
  totals: Totals;
  /** One entry a funding bucket. */
  allowances: TransparentAllowance[];
}

/** Allowances as units or fractions, and no amount. Also what any shape is read as that this package does not know. */
export interface OpaquePreview extends PreviewCommon {
  disclosure: "opaque";
  allowances: OpaqueAllowance[];
}

export interface PreviewWindow {
  windowId: string;
  /** ISO 8601, UTC; included. */
  windowStart: string;
  /** ISO 8601, UTC; not included. */
  windowEnd: string;
  chargeCount: number;
  /** Nanodollars as text: hand it to `toNanos` or `formatNanos`, never to `Number`. */
  ratedNanos: string;
}

export interface Totals {
  /** What usage comes to: nanodollars as text. */
  ratedNanos: string;
  /** What allowances have paid of it: nanodollars as text. */
  fundedNanos: string;
  /** What is owed: nanodollars as text; negative when the subscriber has something to get. */
  receivableNanos: string;
}

interface AllowanceCommon {
  /** `included`, `promo`, `prepaid`, `referral`, or one to come. */
  kind: string;
  /** `AVAILABLE`, `EXHAUSTED`, `EXPIRED`, `REVOKED`, or one to come. */
  state: string;
  /** ISO 8601, UTC; null for one that never expires. */
  expiresAt: string | null;
}

export interface TransparentAllowance extends AllowanceCommon {
  /** Nanodollars as text. */
  remainingNanos: string;
  /** Set aside for requests under way: nanodollars as text. */
  heldNanos: string;
  /** Nanodollars as text. */
  consumedNanos: string;
}

export interface OpaqueAllowance extends AllowanceCommon {
  display: AllowanceDisplay;
}

export type AllowanceDisplay = MultiplierDisplay | FractionDisplay | UnknownDisplay;

/** In the product's own units. */
export interface MultiplierDisplay {
  kind: "multiplier";
  /** Units of the whole allowance. */
  allowanceUnits: number;
  /** With two decimals. */
  remainingUnits: string;
  /** With two decimals. */
  consumedUnits: string;
}

/** In hundredths of a percent, 0 to 10,000. */
export interface FractionDisplay {
  kind: "fraction";
  consumedBasisPoints: number;
  remainingBasisPoints: number;
}

/** One that this version of the package does not know; show that there is an allowance, and no quantity. */
export interface UnknownDisplay {
  kind: "unknown";
}

/**
 * Reads an answer. A shape that is not known, also in part, becomes an opaque preview: what can't be understood is not shown.
 * Null for what is no preview at all.
 */
export function readBillPreview(answer: unknown): BillPreview | null {
  const json = object(answer);
  if (json === null) return null;
  const { currency, recurringFeeCents } = json;
  if (typeof currency !== "string" || !Number.isSafeInteger(recurringFeeCents)) return null;
  const common = { currency, recurringFeeCents: recurringFeeCents as number };
  if (json["disclosure"] === "transparent") {
    const windows = all(json["windows"], window);
    const totals = members(json["totals"], { ratedNanos: nanos, fundedNanos: nanos, receivableNanos: nanos });
    const allowances = all(json["allowances"], transparentAllowance);
    if (windows !== null && totals !== null && allowances !== null) {
      return { disclosure: "transparent", ...common, windows, totals: totals as unknown as Totals, allowances };
    }
  }
  const allowances = Array.isArray(json["allowances"]) ? json["allowances"].map(opaqueAllowance) : [];
  return { disclosure: "opaque", ...common, allowances: allowances.filter((allowance) => allowance !== null) };
}

type Check = (value: unknown) => boolean;
const text: Check = (value) => typeof value === "string";
const nanos: Check = (value) => typeof value === "string" && /^-?\d{1,60}$/.test(value);
const count: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const points: Check = (value) => count(value) && (value as number) <= 10_000;
const units: Check = (value) => typeof value === "string" && /^\d{1,40}\.\d\d$/.test(value);
const factor: Check = (value) => typeof value === "number" && Number.isFinite(value);
const expiry: Check = (value) => value === null || text(value);

function window(value: unknown): PreviewWindow | null {
  const checks = { windowId: text, windowStart: text, windowEnd: text, chargeCount: count, ratedNanos: nanos };
  return members(value, checks) as PreviewWindow | null;
}

const ALLOWANCE = { kind: text, state: text, expiresAt: expiry };

function transparentAllowance(value: unknown): TransparentAllowance | null {
  return members(value, { ...ALLOWANCE, remainingNanos: nanos, heldNanos: nanos, consumedNanos: nanos }) as TransparentAllowance | null;
}

function opaqueAllowance(value: unknown): OpaqueAllowance | null {
  const common = members(value, ALLOWANCE);
  return common === null ? null : ({ ...common, display: display(object(value)?.["display"]) } as OpaqueAllowance);
}

function display(value: unknown): AllowanceDisplay {
  switch (object(value)?.["kind"]) {
    case "multiplier":
      return (members(value, { kind: text, allowanceUnits: factor, remainingUnits: units, consumedUnits: units }) as MultiplierDisplay | null) ?? UNKNOWN;
    case "fraction":
      return (members(value, { kind: text, consumedBasisPoints: points, remainingBasisPoints: points }) as FractionDisplay | null) ?? UNKNOWN;
    default:
      return UNKNOWN;
  }
}

const UNKNOWN: UnknownDisplay = { kind: "unknown" };

/** Just these members, if all of them are as they should be. */
function members(value: unknown, checks: { readonly [member: string]: Check }): { [member: string]: unknown } | null {
  const json = object(value);
  if (json === null) return null;
  const read: { [member: string]: unknown } = {};
  for (const [member, check] of Object.entries(checks)) {
    if (!check(json[member])) return null;
    read[member] = json[member];
  }
  return read;
}

function all<T>(value: unknown, read: (entry: unknown) => T | null): T[] | null {
  if (!Array.isArray(value)) return null;
  const entries = value.map(read);
  return entries.every((entry) => entry !== null) ? (entries as T[]) : null;
}

function object(value: unknown): { [member: string]: unknown } | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as { [member: string]: unknown }) : null;
}
