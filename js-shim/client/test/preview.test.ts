// Reading an answer: both shapes as they are, everything else as an opaque one or as none.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readBillPreview } from "@svc/client-js";
import { empty, opaque, transparent } from "./bills.js";

const json = (value: unknown): { [member: string]: any } => JSON.parse(JSON.stringify(value));

test("both shapes are read as they are", () => {
  for (const bill of [transparent, opaque, empty]) assert.deepEqual(readBillPreview(json(bill)), bill);
});

test("members that are not known are left out", () => {
  const more = json(opaque);
  more["forecastNanos"] = "5";
  more["allowances"][0]["remainingNanos"] = "5";
  more["allowances"][0]["display"]["rateNanos"] = "5";
  assert.deepEqual(readBillPreview(more), opaque);
});

test("a disclosure that is not known is opaque, and shows no amount", () => {
  for (const disclosure of ["partial", "", null, 5, undefined]) {
    const bill = readBillPreview({ ...json(transparent), disclosure });
    assert.equal(bill?.disclosure, "opaque");
    assert.ok(!JSON.stringify(bill).includes("Nanos"));
    assert.equal(bill?.allowances.length, 3);
  }
});

test("a transparent bill with one thing wrong is opaque", () => {
  const wrongs: ((bill: { [member: string]: any }) => void)[] = [
    (bill) => delete bill["totals"],
    (bill) => delete bill["windows"],
    (bill) => (bill["totals"]["receivableNanos"] = 5),
    (bill) => (bill["totals"]["ratedNanos"] = "1.5"),
    (bill) => (bill["totals"]["fundedNanos"] = "1e9"),
    (bill) => (bill["windows"][0]["chargeCount"] = -1),
    (bill) => (bill["windows"][0]["ratedNanos"] = null),
    (bill) => (bill["windows"] = {}),
    (bill) => (bill["allowances"][0]["remainingNanos"] = 1),
    (bill) => (bill["allowances"][0]["expiresAt"] = 1),
    (bill) => (bill["allowances"] = null),
  ];
  for (const wrong of wrongs) {
    const bill = json(transparent);
    wrong(bill);
    assert.equal(readBillPreview(bill)?.disclosure, "opaque", wrong.toString());
  }
});

test("a display that is not known, or not as it should be, is unknown", () => {
  for (const display of [undefined, null, { kind: "gauge" }, { kind: "fraction", consumedBasisPoints: 10_001, remainingBasisPoints: 0 }, { kind: "multiplier", allowanceUnits: 20, remainingUnits: 5, consumedUnits: "1.00" }]) {
    const bill = json(opaque);
    bill["allowances"][0]["display"] = display;
    const read = readBillPreview(bill);
    assert.ok(read?.disclosure === "opaque");
    assert.deepEqual(read.allowances[0]?.display, { kind: "unknown" });
  }
});

test("what is no bill is null", () => {
  for (const bad of [undefined, null, 5, "bill", [], {}, { currency: "usd" }, { currency: 5, recurringFeeCents: 0 }, { currency: "usd", recurringFeeCents: 0.5 }, { currency: "usd", recurringFeeCents: "1900" }, { currency: "usd", recurringFeeCents: 2 ** 53 }]) {
    assert.equal(readBillPreview(bad), null);
  }
});
