// An outbox in your PostgreSQL: the item is written in the transaction of what it reports.

import { fixItem, utf8Bytes, type FixedItem } from "../../item.ts";
import { LEASE_MS, POLL_MS } from "../../limits.ts";
import type { UsageItem, UsageKeys } from "../../options.ts";
import { upTo, type Entry, type Outbox, type PeekLimit } from "../outbox.ts";
import { tables } from "./statements.ts";

/** What is used of `pg`: a pool, or a client inside a transaction. */
export interface PgClient {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[]; rowCount?: number | null }>;
}

export interface PgOutboxOptions {
  /**
   * A `pg` pool. The sender reads and removes items by it.
   *
   * ```ts
   * pgOutbox({ pool: new pg.Pool({ connectionString }) })
   * ```
   */
  pool: PgClient;
  /**
   * The table's name, with its schema where needed. Default `svc_usage`.
   *
   * ```ts
   * pgOutbox({ pool, table: "billing.usage" })
   * ```
   */
  table?: string;
  /**
   * How often the table is looked at, in milliseconds. Default 1,000.
   *
   * ```ts
   * pgOutbox({ pool, pollMs: 250 })
   * ```
   */
  pollMs?: number;
  /**
   * How long the sending process keeps the others from sending, in milliseconds; renewed with each batch. After a crash the
   * others wait for its end. Default 10,000.
   *
   * ```ts
   * pgOutbox({ pool, leaseMs: 2_000 })
   * ```
   */
  leaseMs?: number;
}

export interface PgOutbox extends Outbox {
  /**
   * Writes items by the caller's client, in the caller's transaction: they are sent if it commits, and were never there if
   * it does not.
   *
   * ```ts
   * await client.query("begin");
   * await client.query("insert into jobs (id, owner) values ($1, $2)", [id, owner]);
   * await outbox.write(client, { id: `job-${id}`, subject: owner, meter: "jobs", units: 1 });
   * await client.query("commit");
   * ```
   */
  write<K extends UsageKeys = UsageKeys>(client: PgClient, ...items: readonly UsageItem<K>[]): Promise<void>;
  /** Makes the tables where they are missing. Or put `schema` into your own migrations. */
  migrate(): Promise<void>;
  /** The statements that make the tables. */
  readonly schema: string;
}

/**
 * Keeps items in a table of your database. Any number of processes may write and send; one of them at a time sends, by a
 * lease, so order is kept.
 */
export function pgOutbox(options: PgOutboxOptions): PgOutbox {
  const { pool, pollMs = POLL_MS, leaseMs = LEASE_MS } = options;
  const { items, sender } = tables(options.table ?? "svc_usage");
  const holder = crypto.randomUUID();
  const schema = `create table if not exists ${items} (id bigint generated always as identity primary key, item text not null);
create table if not exists ${sender} (one boolean primary key default true check (one), holder text not null, until timestamptz not null);
insert into ${sender} (holder, until) values ('', 'epoch') on conflict do nothing;`;

  async function insert(client: PgClient, fixed: readonly FixedItem[]): Promise<void> {
    // Sorted by their place: `unnest` alone promises no order of the identities.
    const text = `insert into ${items} (item) select t.item from unnest($1::text[]) with ordinality t (item, place) order by t.place`;
    await client.query(text, [fixed.map((item) => item.text)]);
  }

  async function leased(): Promise<boolean> {
    const text = `update ${sender} set holder = $1, until = now() + $2 * interval '1 millisecond' where holder = $1 or until < now() returning 1`;
    return (await pool.query(text, [holder, leaseMs])).rows.length > 0;
  }

  async function number(select: string): Promise<number | null> {
    const { value } = (await pool.query(`select ${select} as value from ${items}`)).rows[0] as { value: string | null };
    return value === null ? null : Number(value);
  }

  return {
    schema,
    pollMs,
    migrate: async () => void (await pool.query(schema)),
    write: (client, ...written) => insert(client, written.map((item) => fixItem(item as UsageItem))),
    add: (fixed) => insert(pool, fixed),
    async peek(limit: PeekLimit) {
      // An idle table is only read; the lease is a write.
      if ((await pool.query(`select 1 from ${items} limit 1`)).rows.length === 0) return [];
      if (!(await leased())) return null;
      const { rows } = await pool.query(`select id, item from ${items} order by id limit $1`, [limit.items]);
      const entries = (rows as { id: string; item: string }[]).map(({ id, item }): Entry => ({ key: Number(id), text: item }));
      return upTo(entries, limit, (entry) => utf8Bytes(entry.text));
    },
    remove: async (entries) => void (await pool.query(`delete from ${items} where id = any($1::bigint[])`, [entries.map(({ key }) => key)])),
    last: () => number("max(id)"),
    size: async () => (await number("count(*)")) ?? 0,
    // Lets another process go on at once.
    close: async () => void (await pool.query(`update ${sender} set until = 'epoch' where holder = $1`, [holder])),
  };
}
