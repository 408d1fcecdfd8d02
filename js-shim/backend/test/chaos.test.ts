// The proof: whatever the network does, and wherever the process is killed, the service has accepted exactly what the
// handlers committed: nothing lost, nothing twice, nothing that was rolled back, each subject's in order.
// SVC_CHAOS_KILLS says how many kills (`make chaos-packages`: 200); SVC_CHAOS_SEED repeats a run's chaos.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import pg from "pg";
import { createUsage } from "@svc/backend";
import { pgOutbox } from "@svc/backend/pg";
import { chaos, seeded, type Chaos } from "./chaos.js";
import { hurry } from "./children/hurry.js";
import { TestService } from "./service.js";

const KILLS = Number(process.env["SVC_CHAOS_KILLS"] ?? 8);
const SEED = Number(process.env["SVC_CHAOS_SEED"] ?? Date.now() % 1_000_000);
const url = process.env["SVC_TEST_DATABASE_URL"];
hurry();

async function setting(context: TestContext, seed = SEED): Promise<{ service: TestService; world: Chaos; folder: string; random: () => number }> {
  const service = await new TestService().start();
  const world = chaos(seed);
  service.behaviour = world.behaviour;
  const folder = mkdtempSync(join(tmpdir(), "svc-chaos-"));
  context.after(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });
  context.diagnostic(`SVC_CHAOS_SEED=${seed}`);
  return { service, world, folder, random: seeded(seed + 1) };
}

/** Starts a child; resolves when it has ended, killed after `killAfterMs` from its first line where that is given. */
function child(script: string, args: string[], onLine: (line: string) => void, killAfterMs?: number): Promise<number | null> {
  const file = fileURLToPath(new URL(`./children/${script}.js`, import.meta.url));
  const started = spawn(process.execPath, [file, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  createInterface({ input: started.stdout }).on("line", (line) => {
    if (line === "ready" && killAfterMs !== undefined) setTimeout(() => started.kill("SIGKILL"), killAfterMs);
    onLine(line);
  });
  return new Promise((done) => started.on("close", done));
}

function inOrder(service: TestService, place: (id: string) => number): void {
  for (const subject of new Set(service.accepted.map((item) => item.subject))) {
    const places = service.accepted.filter((item) => item.subject === subject).map(({ id }) => place(id));
    assert.deepEqual(places, [...places].sort((a, b) => a - b), `the order of ${subject}`);
  }
}

const refuse = (line: string) => assert.ok(!line.startsWith("refused"), line);

test("memory: the network at its worst, 2,000 items", async (context) => {
  const { service, world, random } = await setting(context);
  const usage = createUsage({ url: service.url, token: "t", business: "b", sendAtItems: 10, sendAfterMs: 1 });
  const told = new Set<string>();
  for (const event of ["accepted", "duplicate"] as const) usage.on(event, ({ id }) => void told.add(id));
  usage.on("refused", ({ id, code }) => assert.fail(`${id} ${code}`));
  for (let n = 0; n < 2_000; n++) {
    await usage.report({ id: `i${n}`, subject: `u${n % 7}`, meter: "m", units: n });
    if (random() < 0.05) await new Promise((done) => setTimeout(done, 2));
  }
  assert.deepEqual(await usage.close({ timeoutMs: 120_000 }), { pending: 0, stopped: null });
  await new Promise((done) => setTimeout(done, 100)); // what is still on its way
  assert.equal(service.accepted.length, 2_000);
  assert.equal(new Set(service.accepted.map(({ id }) => id)).size, 2_000);
  assert.equal(told.size, 2_000);
  inOrder(service, (id) => Number(id.slice(1)));
  const kinds = Object.keys(world.counts).length;
  assert.ok(kinds >= 8, `only ${kinds} kinds of chaos: ${JSON.stringify(world.counts)}`);
  // After an answer that was no good, the very same bytes come next.
  let repeats = 0;
  for (const [index, { body }] of service.calls.entries()) if (service.calls[index - 1]?.body === body) repeats++;
  const failures = Object.entries(world.counts).filter(([what]) => what !== "doubled" && what !== "delayed").reduce((sum, [, count]) => sum + count, 0);
  assert.equal(repeats, failures);
});

test(`journal: ${KILLS} kills`, async (context) => {
  const { service, world, folder, random } = await setting(context);
  const path = join(folder, "usage.journal");
  const acknowledged = new Set<number>();
  const line = (text: string) => {
    refuse(text);
    const done = /^done (\d+)$/.exec(text);
    if (done !== null) acknowledged.add(Number(done[1]));
  };
  const firstMissing = () => {
    let n = 0;
    while (acknowledged.has(n)) n++;
    return n;
  };
  for (let kill = 0; kill < KILLS; kill++) {
    await child("journal", [path, service.url, String(firstMissing()), "1000000000"], line, random() * 150);
  }
  const end = firstMissing() + 20;
  world.calm = true;
  assert.equal(await child("journal", [path, service.url, String(firstMissing()), String(Math.max(end, ...acknowledged) + 1)], line), 0);
  const expected = [...acknowledged].sort((a, b) => a - b).map((n) => `r${n}#jobs`);
  assert.deepEqual(service.accepted.map(({ id }) => id).sort(byNumber), expected);
  inOrder(service, (id) => Number(id.slice(1, id.indexOf("#"))));
  context.diagnostic(`${expected.length} requests, ${service.calls.length} calls, ${JSON.stringify(world.counts)}`);
  assert.ok(expected.length > 0);
});

test(`sqlite: ${KILLS} kills`, async (context) => {
  const { service, world, folder, random } = await setting(context);
  const file = join(folder, "app.db");
  for (let kill = 0; kill < KILLS; kill++) {
    await child("sql", ["sqlite", file, service.url, `run${kill}`, "work"], refuse, random() * 150);
  }
  world.calm = true;
  assert.equal(await child("sql", ["sqlite", file, service.url, "-", "drain"], refuse), 0);
  const database = new Database(file, { readonly: true });
  const committed = (database.prepare("select id from jobs order by place").all() as { id: string }[]).map(({ id }) => id);
  database.close();
  assert.deepEqual(service.accepted.map(({ id }) => id).sort(), [...committed].sort());
  const places = new Map(committed.map((id, place) => [id, place]));
  inOrder(service, (id) => places.get(id) ?? -1);
  context.diagnostic(`${committed.length} committed, ${service.calls.length} calls, ${JSON.stringify(world.counts)}`);
  assert.ok(committed.length > 0 && committed.every((id) => Number(id.split("-")[1]) % 5 !== 4));
});

test(`pg: ${KILLS} kills, two processes at once`, { skip: url === undefined && "SVC_TEST_DATABASE_URL names no server" }, async (context) => {
  const { service, world, random } = await setting(context);
  const pool = new pg.Pool({ connectionString: url });
  const schema = `chaos_${process.pid}_${Date.now()}`;
  await pool.query(`create schema ${schema}; create table ${schema}.jobs (place bigint generated always as identity, id text not null unique)`);
  try {
    await pgOutbox({ pool, table: `${schema}.usage` }).migrate();
    const where = `${url} ${schema}`;
    for (let kill = 0; kill < KILLS; kill += 2) {
      await Promise.all(
        ["a", "b"].map((name) => child("sql", ["pg", where, service.url, `run${kill}${name}`, "work"], refuse, 50 + random() * 200)),
      );
    }
    world.calm = true;
    assert.equal(await child("sql", ["pg", where, service.url, "-", "drain"], refuse), 0);
    const { rows } = await pool.query<{ id: string }>(`select id from ${schema}.jobs`);
    assert.deepEqual(service.accepted.map(({ id }) => id).sort(), rows.map(({ id }) => id).sort());
    context.diagnostic(`${rows.length} committed, ${service.calls.length} calls, ${JSON.stringify(world.counts)}`);
    assert.ok(rows.length > 0);
  } finally {
    await pool.query(`drop schema ${schema} cascade`);
    await pool.end();
  }
});

const byNumber = (a: string, b: string) => Number(a.slice(1, a.indexOf("#"))) - Number(b.slice(1, b.indexOf("#")));
