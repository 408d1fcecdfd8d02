// An outbox in your SQLite database: the item is written in the transaction of what it reports.

import { fixItem, utf8Bytes, type FixedItem } from "../../item.ts";
import { LEASE_MS, POLL_MS } from "../../limits.ts";
import type { UsageItem, UsageKeys } from "../../options.ts";
import { upTo, type Entry, type Outbox, type PeekLimit } from "../outbox.ts";
import { tables } from "./statements.ts";

/** What is used of `better-sqlite3`; `node:sqlite`'s `DatabaseSync` has it too. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): {
    run(...values: (string | number)[]): { changes: number | bigint };
    all(...values: (string | number)[]): unknown[];
    get(...values: (string | number)[]): unknown;
  };
}

export interface SqliteOutboxOptions {
  /**
   * The database, the same connection in which your transactions run.
   *
   * ```ts
   * sqliteOutbox({ database: new Database("app.db") })
   * ```
   */
  database: SqliteDatabase;
  /**
   * The table's name. Default `svc_usage`.
   *
   * ```ts
   * sqliteOutbox({ database, table: "usage_outbox" })
   * ```
   */
  table?: string;
  /**
   * How often the table is looked at, in milliseconds. Default 1,000.
   *
   * ```ts
   * sqliteOutbox({ database, pollMs: 250 })
   * ```
   */
  pollMs?: number;
  /**
   * How long the sending process keeps the others from sending, in milliseconds; renewed with each batch. After a crash the
   * others wait for its end. Default 10,000.
   *
   * ```ts
   * sqliteOutbox({ database, leaseMs: 2_000 })
   * ```
   */
  leaseMs?: number;
}

export interface SqliteOutbox extends Outbox {
  /**
   * Writes items, at once, in the transaction that is open: they are sent if it commits, and were never there if it does
   * not. Throws what the database throws, which undoes the transaction, and `ITEM_FORM`.
   *
   * ```ts
   * database.transaction(() => {
   *   insertJob.run(id, owner);
   *   outbox.write({ id: `job-${id}`, subject: owner, meter: "jobs", units: 1 });
   * })();
   * ```
   */
  write<K extends UsageKeys = UsageKeys>(...items: readonly UsageItem<K>[]): void;
}

/** Keeps items in a table of your database, which is made where it is missing. Several processes may share the file. */
export function sqliteOutbox(options: SqliteOutboxOptions): SqliteOutbox {
  const { database, pollMs = POLL_MS, leaseMs = LEASE_MS } = options;
  const { items, sender } = tables(options.table ?? "svc_usage");
  const holder = crypto.randomUUID();
  // `autoincrement`: an id is never given out twice, so what is removed is never a newer item.
  database.exec(`create table if not exists ${items} (id integer primary key autoincrement, item text not null);
create table if not exists ${sender} (one integer primary key check (one = 1), holder text not null, until_ms integer not null);
insert or ignore into ${sender} values (1, '', 0);`);
  const inserted = database.prepare(`insert into ${items} (item) values (?)`);
  const oldest = database.prepare(`select id, item from ${items} order by id limit ?`);
  const removed = database.prepare(`delete from ${items} where id in (select value from json_each(?))`);
  const lease = database.prepare(`update ${sender} set holder = ?, until_ms = ? where holder = ? or until_ms < ?`);
  const summary = database.prepare(`select count(*) as size, max(id) as last from ${items}`);

  const insert = (fixed: readonly FixedItem[]) => fixed.forEach(({ text }) => inserted.run(text));
  const known = () => summary.get() as { size: number; last: number | null };

  return {
    pollMs,
    write: (...written) => insert(written.map((item) => fixItem(item as UsageItem))),
    async add(fixed) {
      // All or none; a savepoint also stands inside a transaction that happens to be open.
      database.exec("savepoint svc_usage_add");
      try {
        insert(fixed);
        database.exec("release svc_usage_add");
      } catch (error) {
        database.exec("rollback to svc_usage_add; release svc_usage_add");
        throw error;
      }
    },
    async peek(limit: PeekLimit) {
      const rows = oldest.all(limit.items) as { id: number; item: string }[];
      if (rows.length === 0) return [];
      // Read before the lease was taken, a row may be settled by now; sent again it is a duplicate.
      const now = Date.now();
      if (Number(lease.run(holder, now + leaseMs, holder, now).changes) === 0) return null;
      return upTo(rows.map(({ id, item }): Entry => ({ key: id, text: item })), limit, (entry) => utf8Bytes(entry.text));
    },
    remove: async (entries) => void removed.run(JSON.stringify(entries.map(({ key }) => key))),
    last: async () => known().last,
    size: async () => known().size,
    close: async () => void database.prepare(`update ${sender} set until_ms = 0 where holder = ?`).run(holder),
  };
}
