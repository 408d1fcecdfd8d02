import type { UsageItem, UsageKeys } from "../../options.ts";
import { type Outbox } from "../outbox.ts";
/** What is used of `better-sqlite3`; `node:sqlite`'s `DatabaseSync` has it too. */
export interface SqliteDatabase {
    exec(sql: string): unknown;
    prepare(sql: string): {
        run(...values: (string | number)[]): {
            changes: number | bigint;
        };
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
export declare function sqliteOutbox(options: SqliteOutboxOptions): SqliteOutbox;
