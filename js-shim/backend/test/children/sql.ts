// A backend that is killed: each handler writes its business row and its usage in one transaction, and some of them fail.
// Arguments: sqlite|pg, where (a file; a URL and a schema), the service's URL, the run, `work` or `drain`.

import { writeSync } from "node:fs";
import Database from "better-sqlite3";
import pg from "pg";
import { createUsage, type Outbox, type UsageItem } from "@svc/backend";
import { pgOutbox } from "@svc/backend/pg";
import { sqliteOutbox } from "@svc/backend/sqlite";
import { hurry } from "./hurry.js";

const [kind, where = "", url = "", run = "", mode] = process.argv.slice(2);
hurry();

/** Does a handler's work; throws after it has written where `fails`. */
let handle: (id: string, item: UsageItem, fails: boolean) => Promise<void>;
let outbox: Outbox;
if (kind === "sqlite") {
  const database = new Database(where, { timeout: 10_000 });
  database.pragma("journal_mode = wal");
  database.exec("create table if not exists jobs (place integer primary key autoincrement, id text not null unique)");
  const insert = database.prepare("insert into jobs (id) values (?)");
  const sqlite = sqliteOutbox({ database, pollMs: 5, leaseMs: 30 });
  outbox = sqlite;
  handle = async (id, item, fails) =>
    database.transaction(() => {
      insert.run(id);
      sqlite.write(item);
      if (fails) throw new Error("the handler failed");
    })();
} else {
  const [connectionString, schema] = where.split(" ");
  const pool = new pg.Pool({ connectionString, max: 4 });
  const own = pgOutbox({ pool, table: `${schema}.usage`, pollMs: 5, leaseMs: 30 });
  outbox = own;
  handle = async (id, item, fails) => {
    const client = await pool.connect();
    try {
      await client.query("begin");
      await client.query(`insert into ${schema}.jobs (id) values ($1)`, [id]);
      await own.write(client, item);
      if (fails) throw new Error("the handler failed");
      await client.query("commit");
    } catch (error) {
      await client.query("rollback");
      throw error;
    } finally {
      client.release();
    }
  };
}

const usage = createUsage({ url, token: "t", business: "b", outbox, sendAfterMs: 2 });
usage.on("refused", ({ id, code }) => void writeSync(1, `refused ${id} ${code}\n`));
if (mode === "drain") {
  const { pending } = await usage.close({ timeoutMs: 60_000 });
  process.exit(pending === 0 ? 0 : 1);
}
writeSync(1, "ready\n");
for (let n = 0; ; n++) {
  const id = `${run}-${n}`;
  const item: UsageItem = { id, subject: `u${n % 3}`, meter: "jobs", units: n };
  await handle(id, item, n % 5 === 4).catch(() => {});
  if (n % 3 === 0) await new Promise((done) => setTimeout(done, Math.random() * 4));
}
