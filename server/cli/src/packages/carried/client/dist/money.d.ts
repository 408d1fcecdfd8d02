/** Which way an amount goes that has more digits than are shown. */
export type Rounding = 
/** To the next smaller amount; never says more than is owed. */
"floor"
/** To the next larger amount. */
 | "ceil"
/** Towards zero. */
 | "trunc"
/** To the nearer one; from the middle, away from zero. */
 | "halfExpand";
export interface FormatOptions {
    /**
     * A BCP 47 tag, or several by preference. Default `en-US`, so that a server and a browser write the same.
     *
     * ```ts
     * formatCents(1900, { locale: "de-DE" }) // 19,00 $
     * ```
     */
    locale?: string | readonly string[];
    /**
     * The amount's currency, as the preview names it. Default `usd`.
     *
     * ```ts
     * formatNanos(preview.totals.ratedNanos, { currency: preview.currency })
     * ```
     */
    currency?: string;
}
export interface FormatNanosOptions extends FormatOptions {
    /**
     * Digits behind the point, 0 to 9. Default: two, or as many more as the amount has.
     *
     * ```ts
     * formatNanos("1234567890") // $1.23456789
     * formatNanos("1234567890", { digits: 2 }) // $1.23
     * ```
     */
    digits?: number;
    /**
     * What becomes of digits that are not shown. Default `floor`, as invoices do it.
     *
     * ```ts
     * formatNanos("9999999", { digits: 2, rounding: "ceil" }) // $0.01
     * ```
     */
    rounding?: Rounding;
}
/**
 * A nanodollar amount as a number to calculate with. Throws a RangeError for what is no integer.
 *
 * ```ts
 * const open = toNanos(totals.ratedNanos) - toNanos(totals.fundedNanos);
 * ```
 */
export declare function toNanos(text: string): bigint;
/**
 * A nanodollar amount for people.
 *
 * ```ts
 * formatNanos("9007199254740993123456789") // $9,007,199,254,740,993.123456789
 * ```
 */
export declare function formatNanos(nanos: string | bigint, options?: FormatNanosOptions): string;
/**
 * A cent amount for people. Takes the numbers and the decimal texts of the API.
 *
 * ```ts
 * formatCents(1900) // $19.00
 * ```
 */
export declare function formatCents(cents: number | string | bigint, options?: FormatOptions): string;
