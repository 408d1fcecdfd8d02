// Bills of both shapes, with what is easily forgotten in them: long, negative, zero, ended.

import type { BillPreview } from "@svc/client-js";

export const transparent: BillPreview = {
  disclosure: "transparent",
  currency: "usd",
  recurringFeeCents: 1_900,
  windows: [
    { windowId: "w1", windowStart: "2026-11-01T00:00:00Z", windowEnd: "2026-11-15T12:00:00Z", chargeCount: 12_345, ratedNanos: "9007199254740993123456789" },
    { windowId: "w2", windowStart: "2026-11-15T12:00:00Z", windowEnd: "2026-12-01T00:00:00Z", chargeCount: 0, ratedNanos: "0" },
  ],
  totals: { ratedNanos: "9007199254740993123456789", fundedNanos: "5000000000", receivableNanos: "-1" },
  allowances: [
    { kind: "included", state: "AVAILABLE", expiresAt: "2026-12-01T00:00:00Z", remainingNanos: "2500000000", heldNanos: "1", consumedNanos: "2499999999" },
    { kind: "promo", state: "EXHAUSTED", expiresAt: null, remainingNanos: "0", heldNanos: "0", consumedNanos: "0" },
    { kind: "a_new_kind", state: "A_NEW_STATE", expiresAt: null, remainingNanos: "1", heldNanos: "0", consumedNanos: "0" },
  ],
};

export const opaque: BillPreview = {
  disclosure: "opaque",
  currency: "usd",
  recurringFeeCents: 0,
  allowances: [
    { kind: "included", state: "AVAILABLE", expiresAt: "2026-12-01T00:00:00Z", display: { kind: "multiplier", allowanceUnits: 20, remainingUnits: "12.50", consumedUnits: "7.50" } },
    { kind: "prepaid", state: "AVAILABLE", expiresAt: null, display: { kind: "fraction", consumedBasisPoints: 2_501, remainingBasisPoints: 7_499 } },
    { kind: "referral", state: "AVAILABLE", expiresAt: null, display: { kind: "unknown" } },
  ],
};

export const empty: BillPreview = {
  disclosure: "transparent",
  currency: "usd",
  recurringFeeCents: 0,
  windows: [],
  totals: { ratedNanos: "0", fundedNanos: "0", receivableNanos: "0" },
  allowances: [],
};
