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
export declare function readBillPreview(answer: unknown): BillPreview | null;
export {};
