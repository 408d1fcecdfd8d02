import type { UsageItem, UsageKeys } from "../../options.ts";
import { type Outbox } from "../outbox.ts";
/** What is used of `pg`: a pool, or a client inside a transaction. */
export interface PgClient {
    query(text: string, values?: unknown[]): Promise<{
        rows: unknown[];
        rowCount?: number | null;
    }>;
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
export declare function pgOutbox(options: PgOutboxOptions): PgOutbox;
