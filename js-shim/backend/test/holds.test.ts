// Holds: set before the work, settled or let go after it.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { createUsage, HoldRefused, memoryOutbox } from "@svc/backend";
import { problem, TestService, until } from "./service.js";

let service: TestService;
beforeEach(async () => {
  service = await new TestService().start();
});
afterEach(() => service.stop());

const make = () => createUsage({ url: service.url, token: "t", business: "b" });
const route = { id: "r/1", subject: "u", route: "POST /v1/jobs" };

test("a hold is set, then settled by the item that has its id", async () => {
  const usage = make();
  const result = await usage.withHold({ ...route, expiresInSeconds: 60 }, async (hold) => {
    assert.deepEqual([hold.id, hold.heldNanos], ["r/1", "5000"]);
    assert.equal(service.holds.get("r/1")?.state, "open");
    await hold.settle({ status: 201, reports: { compute_ms: 125 } });
    return 7;
  });
  assert.equal(result, 7);
  await usage.close();
  assert.equal(service.holds.get("r/1")?.state, "settled");
  assert.equal(service.calls[0]?.body, '{"subject":"u","id":"r/1","route":"POST /v1/jobs","expiresInSeconds":60}');
  assert.deepEqual(service.accepted, [
    { id: "r/1", subject: "u", route: "POST /v1/jobs", status: 201, reports: { compute_ms: 125 }, hold: "r/1" },
  ]);
});

test("a meter's hold is settled with its units", async () => {
  const usage = make();
  await usage.withHold({ id: "h", subject: "u", meter: "tokens", units: 4_000 }, (hold) => hold.settle({ units: 3_900 }));
  await usage.close();
  assert.deepEqual(service.accepted, [{ id: "h", subject: "u", meter: "tokens", units: 3_900, hold: "h" }]);
});

test("work that throws, or settles nothing, lets the hold go", async () => {
  const usage = make();
  await assert.rejects(usage.withHold(route, () => Promise.reject(new Error("mine"))), /mine/);
  await until(() => service.holds.get("r/1")?.state === "released", "released");
  await usage.withHold({ ...route, id: "r2" }, async () => {});
  await until(() => service.holds.get("r2")?.state === "released", "released");
  await usage.close();
  assert.equal(service.accepted.length, 0);
});

test("a report that is not taken leaves the hold to be let go", async () => {
  const usage = createUsage({ url: service.url, token: "t", business: "b", outbox: memoryOutbox({ itemsMax: 0 }) });
  await assert.rejects(usage.withHold(route, (hold) => hold.settle({ status: 201 })), { code: "OUTBOX_FULL" });
  await until(() => service.holds.get("r/1")?.state === "released", "released");
  await assert.rejects(make().withHold({ ...route, id: "r3" }, (hold) => hold.settle({ status: 1 })), { code: "ITEM_FORM" });
  await until(() => service.holds.get("r3")?.state === "released", "released");
});

test("what the plan denies is not worked on", async () => {
  service.behaviour = (_, response) => problem(response, 409, "SPEND_LIMIT_REACHED");
  let worked = false;
  await assert.rejects(
    make().withHold(route, async () => void (worked = true)),
    (error) => error instanceof HoldRefused && error.code === "SPEND_LIMIT_REACHED" && error.status === 409,
  );
  assert.equal(worked, false);
});

test("a service that does not answer denies within the time", async () => {
  service.behaviour = (_, response) => problem(response, 503, "BUSY");
  const began = Date.now();
  await assert.rejects(make().withHold({ ...route, timeoutMs: 300 }, async () => {}), { code: "HOLD_UNAVAILABLE" });
  assert.ok(Date.now() - began < 2_000);
});

test("a hold whose answer was lost is asked for again, under the same id", async () => {
  let lost = false;
  service.behaviour = ({ path }, response) => {
    if (lost || !path.endsWith("/holds")) return false;
    lost = true;
    return Boolean(response.destroy());
  };
  const usage = make();
  await usage.withHold(route, (hold) => hold.settle({ status: 200 }));
  await usage.close();
  assert.equal(service.calls.filter(({ path }) => path.endsWith("/holds")).length, 2);
  assert.equal(service.accepted.length, 1);
});

test("a hold is settled once; a retried request finds its own and is a duplicate", async () => {
  const usage = make();
  await usage.withHold(route, async (hold) => {
    await hold.settle({ status: 201 });
    await assert.rejects(hold.settle({ status: 201 }), { code: "HOLD_ENDED" });
  });
  await usage.flush();
  const duplicates: string[] = [];
  usage.on("duplicate", ({ id }) => duplicates.push(id));
  await usage.withHold(route, (hold) => hold.settle({ status: 201 }));
  await usage.close();
  assert.deepEqual(duplicates, ["r/1"]);
  assert.equal(service.accepted.length, 1);
});
