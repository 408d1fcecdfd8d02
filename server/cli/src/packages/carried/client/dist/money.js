// Amounts as people read them: exact to the last digit, in any locale. No amount is ever a floating-point number.
import { CENTS_DIGITS, NANOS_DIGITS } from "./limits.js";
/**
 * A nanodollar amount as a number to calculate with. Throws a RangeError for what is no integer.
 *
 * ```ts
 * const open = toNanos(totals.ratedNanos) - toNanos(totals.fundedNanos);
 * ```
 */
export function toNanos(text) {
    if (typeof text !== "string" || !/^-?\d+$/.test(text))
        throw new RangeError(`no integer of nanodollars: ${String(text)}`);
    return BigInt(text);
}
/**
 * A nanodollar amount for people.
 *
 * ```ts
 * formatNanos("9007199254740993123456789") // $9,007,199,254,740,993.123456789
 * ```
 */
export function formatNanos(nanos, options = {}) {
    const value = typeof nanos === "bigint" ? nanos : toNanos(nanos);
    const { digits, rounding = "floor" } = options;
    if (digits === undefined)
        return format(value, NANOS_DIGITS, CENTS_DIGITS, options);
    if (!Number.isInteger(digits) || digits < 0 || digits > NANOS_DIGITS)
        throw new RangeError(`digits are 0 to ${NANOS_DIGITS}`);
    return format(rounded(value, 10n ** BigInt(NANOS_DIGITS - digits), rounding), digits, digits, options);
}
/**
 * A cent amount for people. Takes the numbers and the decimal texts of the API.
 *
 * ```ts
 * formatCents(1900) // $19.00
 * ```
 */
export function formatCents(cents, options = {}) {
    if (typeof cents === "number" && !Number.isSafeInteger(cents))
        throw new RangeError(`no integer of cents: ${cents}`);
    if (typeof cents === "string" && !/^-?\d+$/.test(cents))
        throw new RangeError(`no integer of cents: ${cents}`);
    return format(BigInt(cents), CENTS_DIGITS, CENTS_DIGITS, options);
}
/** An integer divided by another, rounded. */
function rounded(value, by, rounding) {
    const down = value / by; // towards zero
    const rest = value % by;
    if (rest === 0n || rounding === "trunc")
        return down;
    if (rounding === "floor")
        return rest < 0n ? down - 1n : down;
    if (rounding === "ceil")
        return rest > 0n ? down + 1n : down;
    const magnitude = rest < 0n ? -rest : rest;
    return magnitude * 2n < by ? down : down + (rest < 0n ? -1n : 1n);
}
/**
 * Writes `value / 10^scale`. `Intl` gets the whole part as a bigint, which it writes exactly, and room for the digits behind
 * the point, which are then put in. (`Intl` also takes decimals as text, but older browsers make them floats first.)
 */
function format(value, scale, digitsMin, options) {
    const negative = value < 0n;
    const text = (negative ? -value : value).toString().padStart(scale + 1, "0");
    const whole = BigInt(text.slice(0, text.length - scale));
    const behind = text.slice(text.length - scale);
    const fraction = behind.slice(0, digitsMin) + behind.slice(digitsMin).replace(/0+$/, "");
    const { locale = "en-US", currency = "usd" } = options;
    const { parts, digit } = writer(locale, currency, fraction.length);
    // There is no negative zero among bigints: the sign comes from -1, whose digit is put right below.
    const bare = negative && whole === 0n;
    return parts(bare ? -1n : negative ? -whole : whole)
        .map((part) => {
        if (part.type === "fraction")
            return Array.from(fraction, digit).join("");
        return bare && part.type === "integer" ? digit("0") : part.value;
    })
        .join("");
}
/** Making a formatter is slow, and a page needs few. */
const writers = new Map();
const WRITERS_MAX = 64;
function writer(locale, currency, digits) {
    const key = `${String(locale)} ${currency} ${digits}`;
    const known = writers.get(key);
    if (known !== undefined)
        return known;
    const numbers = new Intl.NumberFormat(locale, {
        style: "currency",
        currency,
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
    });
    const { numberingSystem } = numbers.resolvedOptions();
    const plain = new Intl.NumberFormat(locale, { numberingSystem, useGrouping: false });
    const written = Array.from({ length: 10 }, (_, digit) => plain.format(digit));
    const made = { parts: (value) => numbers.formatToParts(value), digit: (ascii) => written[Number(ascii)] ?? ascii };
    if (writers.size >= WRITERS_MAX)
        writers.clear();
    writers.set(key, made);
    return made;
}
