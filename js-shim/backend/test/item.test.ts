// Items: their ids, their one form, and what is refused.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fixItem, UsageError, type UsageItem } from "@svc/backend";

const given = { id: "a", subject: "u", meter: "m", units: 1 };
const parsed = (item: UsageItem) => JSON.parse(fixItem(item).text) as { [member: string]: unknown };

test("an item has one form on the wire, whatever the order of its members", () => {
  const one = fixItem({ units: 1, meter: "m", subject: "u", id: "a" });
  assert.equal(one.text, '{"id":"a","subject":"u","meter":"m","units":1}');
  assert.equal(one.text, fixItem(given).text);
  const served = fixItem({ id: "a", subject: "u", route: "POST /v1/jobs", status: 201, reports: { z: "0.5", a: 2 } });
  assert.equal(served.text, '{"id":"a","subject":"u","route":"POST /v1/jobs","status":201,"reports":{"a":2,"z":"0.5"}}');
  assert.equal(fixItem({ ...given, subject: "ü" }).bytes, Buffer.byteLength('{"id":"a","subject":"ü","meter":"m","units":1}'));
});

test("an id is the caller's, or that of the served request, and never made up", () => {
  assert.throws(() => fixItem({ subject: "u", meter: "m", units: 1 } as never), code("ITEM_FORM"));
  assert.equal(parsed({ requestId: "r", subject: "u", route: "GET /", status: 200 })["id"], "r");
  assert.equal(parsed({ requestId: "r", subject: "u", meter: "m", units: 1 })["id"], "r#m");
  assert.equal(parsed({ requestId: "r", part: "2", subject: "u", meter: "m", units: 1 })["id"], "r#m#2");
  assert.equal(parsed({ requestId: "r", part: "2", subject: "u", route: "GET /", status: 200 })["id"], "r##2");
});

test("two requests never share a derived id", () => {
  const ids = new Set<unknown>();
  const texts = ["r", "r#", "r#m", "#", "%", "%23", "r%23m", "m"];
  let made = 0;
  for (const requestId of texts) {
    for (const meter of [undefined, "m", "r"]) {
      for (const part of [undefined, ...texts]) {
        const what = meter === undefined ? { route: "GET /", status: 200 } : { meter, units: 1 };
        ids.add(parsed({ requestId, subject: "u", ...(part === undefined ? {} : { part }), ...what } as UsageItem)["id"]);
        made++;
      }
    }
  }
  assert.equal(ids.size, made);
});

test("a quantity is an integer, or a decimal as text", () => {
  for (const units of [0, 1, 1e15, "0", "0.5", "000.000000001", "1000000000000000", "1000000000000000.000"]) fixItem({ ...given, units });
  for (const units of [-1, 0.5, NaN, Infinity, 1e15 + 1, "", "1e3", "-1", ".5", "1.", "0.1234567891", "1000000000000000.1", "1000000000000001", " 1", 1n, null, {}]) {
    assert.throws(() => fixItem({ ...given, units: units as number }), code("ITEM_FORM"), String(units));
  }
  assert.equal(fixItem({ ...given, units: -0 }).text, fixItem({ ...given, units: 0 }).text);
});

test("what the service would refuse by its form is refused at once", () => {
  const bad: unknown[] = [
    null,
    "item",
    { ...given, id: "" },
    { ...given, id: "x".repeat(201) },
    { ...given, id: "a\nb" },
    { ...given, id: "a\u0000" },
    { ...given, id: "\ud800" },
    { ...given, subject: undefined },
    { ...given, subject: 5 },
    { ...given, meter: "" },
    { ...given, status: 200 },
    { ...given, route: "POST /" },
    { ...given, uniqueKey: "" },
    { ...given, occurredAt: "yesterday" },
    { ...given, occurredAt: new Date(NaN) },
    { ...given, occurredAt: "2026-11-28T10:00:00+01:00" },
    { id: "a", subject: "u" },
    { id: "a", subject: "u", route: "post /", status: 200 },
    { id: "a", subject: "u", route: "POST", status: 200 },
    { id: "a", subject: "u", route: "POST /", status: 99 },
    { id: "a", subject: "u", route: "POST /", status: "200" },
    { id: "a", subject: "u", route: "POST /", status: 200, reports: { m: 0.1 } },
    { id: "a", subject: "u", route: `POST /${"x".repeat(70_000)}`, status: 200 },
  ];
  for (const item of bad) assert.throws(() => fixItem(item as UsageItem), code("ITEM_FORM"), JSON.stringify(item)?.slice(0, 80));
});

test("a moment is written in UTC", () => {
  const at = new Date(Date.UTC(2026, 10, 28, 10));
  assert.equal(parsed({ ...given, occurredAt: at })["occurredAt"], "2026-11-28T10:00:00.000Z");
  assert.equal(parsed({ ...given, occurredAt: "2026-11-28T10:00:00.123456Z" })["occurredAt"], "2026-11-28T10:00:00.123456Z");
});

export function code(expected: string) {
  return (error: unknown) => error instanceof UsageError && error.code === expected;
}
