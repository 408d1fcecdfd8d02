// The caller's own transaction as the outbox: SQLite always, PostgreSQL where SVC_TEST_DATABASE_URL names one.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import Database from "better-sqlite3";
import pg from "pg";
import { createUsage, type Outbox } from "@svc/backend";
import { pgOutbox } from "@svc/backend/pg";
import { sqliteOutbox } from "@svc/backend/sqlite";
import { TestService, until } from "./service.js";

const url = process.env["SVC_TEST_DATABASE_URL"];
let service: TestService;
let folder: string;
beforeEach(async () => {
  service = await new TestService().start();
  folder = mkdtempSync(join(tmpdir(), "svc-sql-"));
});
afterEach(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const item = (n: number) => ({ id: `i${n}`, subject: "u", meter: "m", units: n });
const make = (outbox: Outbox) => createUsage({ url: service.url, token: "t", business: "b", outbox, sendAfterMs: 5 });
const ids = () => service.accepted.map(({ id }) => id);

test("sqlite: what commits is sent, what rolls back was never there", async () => {
  const database = new Database(join(folder, "app.db"));
  const outbox = sqliteOutbox({ database, pollMs: 10 });
  const usage = make(outbox);
  database.transaction(() => outbox.write(item(1), item(2)))();
  assert.throws(() =>
    database.transaction(() => {
      outbox.write(item(3));
      throw new Error("mine");
    })(),
  );
  assert.throws(() => outbox.write({ ...item(4), units: -1 }), { code: "ITEM_FORM" });
  await usage.report(item(5));
  // Found by looking, without a call of the reporter.
  database.transaction(() => outbox.write(item(6)))();
  await until(() => ids().includes("i6"), "i6");
  assert.deepEqual(await usage.close(), { pending: 0, stopped: null });
  assert.deepEqual(ids(), ["i1", "i2", "i5", "i6"]);
  database.close();
});

test("sqlite: of items that are added together, all or none are", async () => {
  const database = new Database(join(folder, "app.db"));
  const outbox = sqliteOutbox({ database });
  const good = { id: "a", subject: "u", text: "{}", bytes: 2 };
  await assert.rejects(outbox.add([good, { ...good, text: null as never }]));
  assert.equal(await outbox.size(), 0);
  await outbox.add([good, good]);
  assert.equal(await outbox.size(), 2);
  database.close();
});

test("sqlite: two senders on one file take turns", async () => {
  const file = join(folder, "app.db");
  const [one, two] = [new Database(file), new Database(file)];
  one.pragma("journal_mode = wal");
  const first = sqliteOutbox({ database: one });
  const second = sqliteOutbox({ database: two });
  await first.add(Array.from({ length: 3 }, (_, n) => ({ id: `i${n}`, subject: "u", text: `{"n":${n}}`, bytes: 7 })));
  assert.equal((await first.peek({ items: 2, bytes: Infinity }))?.length, 2);
  assert.equal(await second.peek({ items: 2, bytes: Infinity }), null);
  assert.equal((await first.peek({ items: 9, bytes: Infinity }))?.length, 3, "the one that has the lease goes on");
  await first.close();
  assert.equal((await second.peek({ items: 9, bytes: Infinity }))?.length, 3);
  one.close();
  two.close();
});

test("sqlite: a flush waits also for what another process is sending", async () => {
  const database = new Database(join(folder, "app.db"));
  const other = sqliteOutbox({ database });
  const usage = make(sqliteOutbox({ database, pollMs: 10 }));
  other.write(item(1));
  const entries = await other.peek({ items: 9, bytes: Infinity });
  if (entries === null) return assert.fail("the lease was free");
  assert.equal((await usage.flush({ timeoutMs: 60 })).pending, 1);
  assert.equal(service.calls.length, 0);
  await other.close();
  assert.equal((await usage.close()).pending, 0);
  assert.deepEqual(ids(), ["i1"]);
  database.close();
});

test("a table's name is a plain one", () => {
  const database = new Database(":memory:");
  for (const table of ["a b", "a;drop table x", "1a", "a.b.c", ""]) {
    assert.throws(() => sqliteOutbox({ database, table }), { code: "OPTION_FORM" });
    assert.throws(() => pgOutbox({ pool: { query: () => Promise.reject(new Error()) }, table }), { code: "OPTION_FORM" });
  }
});

test("pg: what commits is sent, what rolls back was never there; two senders take turns", { skip: url === undefined && "SVC_TEST_DATABASE_URL names no server" }, async () => {
  const pool = new pg.Pool({ connectionString: url });
  const schema = `usage_${process.pid}_${Date.now()}`;
  await pool.query(`create schema ${schema}`);
  try {
    const options = { pool, table: `${schema}.usage`, pollMs: 10 };
    const outbox = pgOutbox(options);
    await outbox.migrate();
    await outbox.migrate();
    const client = await pool.connect();
    await client.query("begin");
    await outbox.write(client, item(1), item(2));
    await client.query("rollback");
    await client.query("begin");
    await outbox.write(client, ...Array.from({ length: 50 }, (_, n) => item(10 + n)));
    assert.equal(await outbox.size(), 0);
    await client.query("commit");
    client.release();
    const other = pgOutbox(options);
    assert.equal((await outbox.peek({ items: 3, bytes: Infinity }))?.length, 3);
    assert.equal(await other.peek({ items: 3, bytes: Infinity }), null);
    await outbox.close();
    const usage = make(other);
    await usage.report(item(99));
    assert.deepEqual(await usage.close(), { pending: 0, stopped: null });
    assert.deepEqual(ids(), [...Array.from({ length: 50 }, (_, n) => `i${10 + n}`), "i99"]);
  } finally {
    await pool.query(`drop schema ${schema} cascade`);
    await pool.end();
  }
});
