// What the sender does with each kind of answer.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { createUsage, memoryOutbox, UsageError, type UsageEvents, type UsageOptions } from "@svc/backend";
import { answer, problem, TestService, until, type Behaviour } from "./service.js";

let service: TestService;
beforeEach(async () => {
  service = await new TestService().start();
});
afterEach(() => service.stop());

type Told = { [E in keyof UsageEvents]: UsageEvents[E][] };

function make(options: Partial<UsageOptions> = {}) {
  const usage = createUsage({ url: service.url, token: "secret", business: "biz 1", sendAfterMs: 5, ...options });
  const told: Told = { accepted: [], duplicate: [], refused: [], retrying: [], stopped: [] };
  for (const name of Object.keys(told) as (keyof UsageEvents)[]) usage.on(name, (event) => void (told[name] as unknown[]).push(event));
  return { usage, told };
}

const item = (n: number, meter = "m") => ({ id: `i${n}`, subject: `u${n % 3}`, meter, units: n });

/** Answers the first calls with these, then behaves. */
function first(...behaviours: Behaviour[]): void {
  service.behaviour = (call, response, self) => behaviours.shift()?.(call, response, self) ?? false;
}

test("what was reported arrives, once, in order, as a batch with the token and the version", async () => {
  const { usage, told } = make({ token: async () => "fresh" });
  for (let n = 0; n < 50; n++) await usage.report(item(n));
  await usage.report(item(50), item(51));
  assert.deepEqual(await usage.close(), { pending: 0, stopped: null });
  assert.deepEqual(service.accepted.map(({ id }) => id), Array.from({ length: 52 }, (_, n) => `i${n}`));
  assert.equal(told.accepted.length, 52);
  assert.deepEqual(told.accepted[7], { id: "i7", subject: "u1", charges: 1 });
  const [call] = service.calls;
  assert.equal(call?.path, "/v1/businesses/biz%201/usage");
  assert.equal(call?.headers["authorization"], "Bearer fresh");
  assert.match(String(call?.headers["svc-package"]), /^@svc\/backend@\d+\.\d+\.\d+$/);
  assert.ok(service.calls.length < 52, "items are sent in batches");
  await assert.rejects(usage.report(item(60)), { code: "CLOSED" });
});

test("a batch has at most 1,000 items and 1 MiB", async () => {
  // The service of the tests checks both bounds.
  const { usage } = make({ sendAfterMs: 1_000 });
  await usage.report(...Array.from({ length: 2_500 }, (_, n) => item(n)));
  const long = "x".repeat(60_000);
  await usage.report(...Array.from({ length: 40 }, (_, n) => ({ id: `l${n}`, subject: "u", route: `GET /${long}`, status: 200 })));
  assert.equal((await usage.close()).pending, 0);
  assert.equal(service.accepted.length, 2_540);
  assert.ok(service.calls.length >= 5 && service.calls.length <= 8, `${service.calls.length} calls`);
});

test("the very same bytes go again after no answer, 408, 429, 5xx and an answer of another form", async (context) => {
  const random = Math.random;
  context.mock.method(Math, "random", () => random() / 50); // eight doublings are half a minute
  first(
    (_, response) => Boolean(response.destroy()),
    (_, response) => problem(response, 408, "BODY_TIMEOUT"),
    (_, response) => problem(response, 429, "RATE_LIMITED"),
    (_, response) => problem(response, 500, "INTERNAL"),
    (_, response) => problem(response, 503, "BUSY", { "retry-after": "0" }),
    (_, response) => (answer(response, 200, { results: [] }), true),
    (_, response) => (answer(response, 200, { results: [{ status: "maybe" }] }), true),
    (_, response) => Boolean(response.writeHead(200).end("<html>")),
  );
  const { usage, told } = make();
  await usage.report(item(1), item(2));
  await until(() => service.calls.length > 0, "a first call");
  await usage.report(item(3));
  assert.equal((await usage.close({ timeoutMs: 60_000 })).pending, 0);
  const bodies = service.calls.map(({ body }) => body);
  assert.equal(new Set(bodies.slice(0, 9)).size, 1, "what was reported meanwhile is not in the batch that is repeated");
  assert.deepEqual(told.retrying.map(({ code }) => code), [
    "NETWORK", "BODY_TIMEOUT", "RATE_LIMITED", "INTERNAL", "BUSY", "ANSWER_FORM", "ANSWER_FORM", "ANSWER_FORM",
  ]);
  assert.deepEqual(told.retrying.map(({ attempt }) => attempt), [1, 2, 3, 4, 5, 6, 7, 8]);
  assert.ok(told.retrying.every(({ delayMs, attempt }) => delayMs <= 250 * 2 ** (attempt - 1) + 1));
  assert.deepEqual(service.accepted.map(({ id }) => id), ["i1", "i2", "i3"]);
});

test("`Retry-After` is waited for", async () => {
  first((_, response) => problem(response, 429, "RATE_LIMITED", { "retry-after": "1" }));
  const { usage, told } = make();
  const began = Date.now();
  await usage.report(item(1));
  assert.equal((await usage.close()).pending, 0);
  assert.ok(Date.now() - began >= 1_000);
  assert.ok((told.retrying[0]?.delayMs ?? 0) >= 1_000 && (told.retrying[0]?.delayMs ?? 0) <= 1_100);
});

test("an answer that never comes is given up and asked for again", async () => {
  first(() => true);
  const { usage, told } = make({ requestTimeoutMs: 50 });
  await usage.report(item(1));
  assert.equal((await usage.close()).pending, 0);
  assert.equal(told.retrying[0]?.code, "TIMEOUT");
});

test("a repeat is told as a duplicate", async () => {
  const { usage, told } = make();
  await usage.report(item(1));
  await usage.flush();
  await usage.report(item(1));
  await usage.close();
  assert.deepEqual(told.duplicate, [{ id: "i1", subject: "u1", charges: 1 }]);
});

test("a refused item surfaces, is not sent again, and blocks nobody", async () => {
  service.unknownMeters.add("typo");
  const { usage, told } = make();
  await usage.report(item(1), item(2, "typo"), item(3));
  await usage.report(item(4));
  assert.deepEqual(await usage.close(), { pending: 0, stopped: null });
  assert.deepEqual(service.accepted.map(({ id }) => id), ["i1", "i3", "i4"]);
  assert.deepEqual(told.refused, [{
    id: "i2", subject: "u2", code: "UNKNOWN_METER", message: "refused: UNKNOWN_METER",
    item: { id: "i2", subject: "u2", meter: "typo", units: 2 },
  }]);
  const sent = service.calls.filter(({ body }) => body.includes("typo"));
  assert.equal(sent.length, 1);
});

for (const [status, code] of [[400, "BODY_FORM"], [413, "BODY_TOO_LARGE"], [422, "BATCH_TOO_LONG"]] as const) {
  test(`one item for which the whole batch is answered ${status} is found by halving`, async () => {
    service.behaviour = ({ body }, response) => body.includes('"poison"') && problem(response, status, code);
    const { usage, told } = make();
    await usage.report(...Array.from({ length: 100 }, (_, n) => item(n, n === 61 ? "poison" : "m")));
    assert.deepEqual(await usage.close(), { pending: 0, stopped: null });
    assert.equal(service.accepted.length, 99);
    assert.deepEqual(told.refused.map(({ id, code }) => [id, code]), [["i61", code]]);
    // Order within each subject stands.
    for (const subject of ["u0", "u1", "u2"]) {
      const units = service.accepted.filter((accepted) => accepted.subject === subject).map((accepted) => Number(accepted.units));
      assert.deepEqual(units, [...units].sort((a, b) => a - b));
    }
  });
}

for (const [status, code] of [[401, "UNAUTHORIZED"], [403, "FORBIDDEN"], [404, "SERVICE_REFUSED"], [302, "SERVICE_REFUSED"], [426, "SERVICE_REFUSED"]] as const) {
  test(`${status} stops sending, loudly, loses nothing, and sending can go on`, async () => {
    service.behaviour = (_, response) => problem(response, status, "WRONG", { location: "/elsewhere" });
    const { usage, told } = make();
    await usage.report(item(1));
    await until(() => told.stopped.length === 1, "a stop");
    assert.equal(usage.stopped?.code, code);
    assert.equal(told.stopped[0]?.error.code, code);
    await usage.report(item(2));
    const flushed = await usage.flush();
    assert.equal(flushed.pending, 2);
    assert.equal(flushed.stopped?.code, code);
    assert.equal(service.calls.length, 1, "nothing is sent while it is stopped");
    service.behaviour = () => false;
    usage.resume();
    assert.deepEqual(await usage.close(), { pending: 0, stopped: null });
    assert.deepEqual(service.accepted.map(({ id }) => id), ["i1", "i2"]);
  });
}

test("without a listener, refusals and stops go to the console", async (context) => {
  const lines: string[] = [];
  context.mock.method(console, "error", (line: string) => void lines.push(line));
  service.unknownMeters.add("typo");
  const usage = createUsage({ url: service.url, token: "t", business: "b" });
  await usage.report(item(1, "typo"));
  await usage.flush();
  service.behaviour = (_, response) => problem(response, 401, "UNAUTHORIZED");
  await usage.report(item(2));
  await usage.close();
  assert.equal(lines.length, 2);
  assert.match(lines[0] ?? "", /i1 of u1 was refused: UNKNOWN_METER/);
  assert.match(lines[1] ?? "", /sending usage has stopped: UNAUTHORIZED/);
});

test("a listener that throws hurts nobody", async (context) => {
  const lines = context.mock.method(console, "error", () => {});
  const { usage, told } = make();
  usage.on("accepted", () => {
    throw new Error("mine");
  });
  await usage.report(item(1), item(2));
  assert.equal((await usage.close()).pending, 0);
  assert.equal(told.accepted.length, 2);
  assert.equal(lines.mock.callCount(), 2);
});

test("the budget of retries ends sending, and drops nothing", async () => {
  service.behaviour = (_, response) => problem(response, 503, "BUSY", { "retry-after": "0" });
  const { usage, told } = make({ retryForMs: 100 });
  await usage.report(item(1));
  const flushed = await usage.flush();
  assert.equal(flushed.stopped?.code, "BUDGET_SPENT");
  assert.equal(flushed.pending, 1);
  assert.ok(told.retrying.length > 1);
  service.behaviour = () => false;
  usage.resume();
  assert.equal((await usage.close()).pending, 0);
});

test("a token that can't be had now is asked for again", async () => {
  let asked = 0;
  const token = () => (++asked === 1 ? Promise.reject(new Error("vault")) : "t");
  const { usage, told } = make({ token });
  await usage.report(item(1));
  assert.equal((await usage.close()).pending, 0);
  assert.equal(told.retrying[0]?.code, "TOKEN");
});

test("an outbox that fails for a while is asked again", async () => {
  const outbox = memoryOutbox();
  const peek = outbox.peek.bind(outbox);
  let failures = 3;
  outbox.peek = (limit) => (failures-- > 0 ? Promise.reject(new Error("the database restarts")) : peek(limit));
  const { usage, told } = make({ outbox });
  await usage.report(item(1));
  assert.equal((await usage.close()).pending, 0);
  assert.deepEqual(told.retrying.map(({ code }) => code), ["OUTBOX_FAILED", "OUTBOX_FAILED", "OUTBOX_FAILED"]);
});

test("memory that is full rejects, and keeps what it has", async () => {
  service.behaviour = () => true; // never answers
  const { usage } = make({ outbox: memoryOutbox({ itemsMax: 3 }), requestTimeoutMs: 50 });
  await usage.report(item(1), item(2));
  await assert.rejects(usage.report(item(3), item(4)), { code: "OUTBOX_FULL" });
  await usage.report(item(3));
  await assert.rejects(usage.report(item(4)), { code: "OUTBOX_FULL" });
  service.behaviour = () => false;
  assert.equal((await usage.close()).pending, 0);
  assert.equal(service.accepted.length, 3);
  const bytes = memoryOutbox({ bytesMax: 60 });
  await bytes.add([{ id: "a", subject: "u", text: "x".repeat(60), bytes: 60 }]);
  await assert.rejects(bytes.add([{ id: "b", subject: "u", text: "x", bytes: 1 }]), { code: "OUTBOX_FULL" });
  await bytes.remove((await bytes.peek({ items: 9, bytes: 9 })) ?? []);
  await bytes.add([{ id: "b", subject: "u", text: "x".repeat(60), bytes: 60 }]); // there is room again
});

test("a wrong item among good ones: none is taken", async () => {
  const { usage } = make();
  await assert.rejects(usage.report(item(1), { ...item(2), units: 0.5 }), { code: "ITEM_FORM" });
  await usage.close();
  assert.equal(service.accepted.length, 0);
});

test("flush waits for what was reported before it, not for what keeps coming", async () => {
  service.behaviour = async () => {
    await new Promise((done) => setTimeout(done, 10));
    return false;
  };
  const { usage } = make({ sendAtItems: 1 });
  let n = 0;
  const stream = setInterval(() => void usage.report(item(n++)), 1);
  await until(() => n > 5, "some items");
  const before = n;
  await usage.flush();
  assert.ok(service.accepted.length >= before);
  const soon = n - before;
  clearInterval(stream);
  assert.ok(soon < 200, `flush hung on for ${soon} items`);
  await usage.close();
  assert.equal(service.accepted.length, n);
});

test("flush and close end after their time, and say what is left", async () => {
  service.behaviour = (_, response) => problem(response, 503, "BUSY", { "retry-after": "60" });
  const { usage } = make();
  await usage.report(item(1), item(2));
  const began = Date.now();
  assert.deepEqual(await usage.flush({ timeoutMs: 50 }), { pending: 2, stopped: null });
  assert.deepEqual(await usage.close({ timeoutMs: 50 }), { pending: 2, stopped: null });
  assert.ok(Date.now() - began < 2_000);
});

test("an item whose hold has run out goes again without it", async () => {
  service.holds.set("h1", { state: "released" });
  service.holds.set("h2", { state: "open" });
  const { usage, told } = make();
  await usage.report({ ...item(1), hold: "h1" }, { ...item(2), hold: "h2" });
  assert.equal((await usage.close()).pending, 0);
  assert.deepEqual(service.accepted.map(({ id, hold }) => [id, hold]), [["i2", "h2"], ["i1", undefined]]);
  assert.deepEqual(told.refused, []);
});

test("options that can't work are refused at once", () => {
  const good = { url: service.url, token: "t", business: "b" };
  for (const bad of [{ url: "ftp://x" }, { business: "" }, { token: "" }, { sendAtItems: 0 }, { sendAtItems: 1_001 }]) {
    assert.throws(() => createUsage({ ...good, ...bad }), (error) => error instanceof UsageError && error.code === "OPTION_FORM");
  }
});
