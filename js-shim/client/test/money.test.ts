// Amounts: exact, in five locales and more, against an oracle that is not ours: Node's `Intl`, which writes decimals given as text exactly.

import assert from "node:assert/strict";
import { test } from "node:test";
import { formatCents, formatNanos, toNanos, type Rounding } from "@svc/client-js";

const LOCALES = ["en-US", "de-DE", "fr-FR", "ar-EG", "hi-IN", "ja-JP", "fa-IR", "de-CH"];
const AMOUNTS = [
  "0", "1", "-1", "9", "10", "-10", "999999999", "1000000000", "-1000000000", "1234567890", "-1234567890", "10000000", "9999999", "-9999999", "5000000", "-5000000",
  "4999999", "15000000", "-15000000", "9007199254740993123456789", "-9007199254740993123456789", "123456789012345678901234567890", "-999999999999999999999999999999", "100000000000000000000000000001",
];

/** The nanos as a decimal, by cutting the text. */
function decimal(nanos: string): string {
  const [, sign = "", digits = ""] = /^(-?)(\d+)$/.exec(nanos) ?? [];
  const padded = digits.padStart(10, "0");
  return `${sign}${padded.slice(0, -9)}.${padded.slice(-9)}`;
}

function oracle(locale: string, text: string, options: object): string {
  const format = new Intl.NumberFormat(locale, { style: "currency", currency: "USD", signDisplay: "negative", ...options } as Intl.NumberFormatOptions);
  return (format.format as (value: string) => string)(text);
}

test("the oracle is exact here", () => {
  assert.equal(oracle("en-US", "9007199254740993.123456789", { maximumFractionDigits: 9 }), "$9,007,199,254,740,993.123456789");
});

for (const locale of LOCALES) {
  test(`${locale}: every digit of an amount`, () => {
    for (const nanos of AMOUNTS) {
      const expected = oracle(locale, decimal(nanos), { minimumFractionDigits: 2, maximumFractionDigits: 9 });
      assert.equal(formatNanos(nanos, { locale }), expected, nanos);
      assert.equal(formatNanos(BigInt(nanos), { locale }), expected, nanos);
    }
  });

  test(`${locale}: rounded to each number of digits, each way`, () => {
    for (const nanos of AMOUNTS) {
      for (const digits of [0, 1, 2, 3, 8, 9]) {
        for (const rounding of ["floor", "ceil", "trunc", "halfExpand"] as Rounding[]) {
          const expected = oracle(locale, decimal(nanos), { minimumFractionDigits: digits, maximumFractionDigits: digits, roundingMode: rounding });
          assert.equal(formatNanos(nanos, { locale, digits, rounding }), expected, `${nanos} ${digits} ${rounding}`);
        }
      }
    }
  });

  test(`${locale}: cents`, () => {
    for (const cents of [0, 1, -1, 99, 100, -100, 1_900, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
      const expected = oracle(locale, decimal(`${BigInt(cents) * 10_000_000n}`), {});
      assert.equal(formatCents(cents, { locale }), expected);
      assert.equal(formatCents(String(cents), { locale }), expected);
    }
    assert.equal(formatCents("123456789012345678901234567890", { locale }), oracle(locale, "1234567890123456789012345678.90", {}));
  });
}

test("what a float would get wrong", () => {
  assert.equal(formatNanos("9007199254740993000000000"), "$9,007,199,254,740,993.00");
  assert.equal(formatNanos("-1"), "-$0.000000001");
  assert.equal(formatNanos("9999999", { digits: 2 }), "$0.00");
  assert.equal(formatNanos("-1", { digits: 2 }), "-$0.01");
  assert.equal(formatNanos("-1", { digits: 2, rounding: "ceil" }), "$0.00", "no negative zero");
});

test("nothing that is no integer gets through", () => {
  for (const bad of ["", " ", "1.0", "1e9", "0x1", "+1", "NaN", "1_000", "١", 5, null, undefined, 1.5]) {
    assert.throws(() => toNanos(bad as string), RangeError, String(bad));
    assert.throws(() => formatNanos(bad as string), RangeError, String(bad));
  }
  for (const bad of [0.5, NaN, 2 ** 53, "1.0", ""]) assert.throws(() => formatCents(bad), RangeError, String(bad));
  for (const digits of [-1, 10, 1.5]) assert.throws(() => formatNanos("1", { digits }), RangeError);
  assert.equal(toNanos("-00123"), -123n);
});

test("another currency; many locales", () => {
  assert.equal(formatCents(1_900, { currency: "eur", locale: "de-DE" }), "19,00\u00a0€");
  for (let n = 0; n < 200; n++) formatNanos("1", { locale: `en-US-u-nu-latn-x-a${n}` });
  assert.equal(formatCents(5), "$0.05");
});
