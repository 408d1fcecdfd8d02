// Shares as micros of a cent: exact, whatever the digits.

import assert from "node:assert/strict";
import { test } from "node:test";
import { percent } from "@svc/product";

test("a share is exact to its last digit", () => {
  for (const [share, micros] of [["2.9", 290], ["0.05", 5], ["1.15", 115], ["100", 10_000], ["0", 0], ["12.30", 1230]] as const) {
    assert.equal(percent(share), micros, share);
  }
});

test("what is no share is not a number", () => {
  for (const share of ["", "2,9", "2.999", "-1", "2.9%", ".5", "5.", "1e3", "007"]) assert.ok(Number.isNaN(percent(share)), share);
  assert.ok(Number.isNaN(percent(2.9 as never)));
});
