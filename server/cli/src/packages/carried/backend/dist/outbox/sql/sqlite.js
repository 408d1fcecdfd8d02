// An outbox in your SQLite database: the item is written in the transaction of what it reports.
import { fixItem, utf8Bytes } from "../../item.js";
import { LEASE_MS, POLL_MS } from "../../limits.js";
import { upTo } from "../outbox.js";
import { tables } from "./statements.js";
/** Keeps items in a table of your database, which is made where it is missing. Several processes may share the file. */
export function sqliteOutbox(options) {
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
    const insert = (fixed) => fixed.forEach(({ text }) => inserted.run(text));
    const known = () => summary.get();
    return {
        pollMs,
        write: (...written) => insert(written.map((item) => fixItem(item))),
        async add(fixed) {
            // All or none; a savepoint also stands inside a transaction that happens to be open.
            database.exec("savepoint svc_usage_add");
            try {
                insert(fixed);
                database.exec("release svc_usage_add");
            }
            catch (error) {
                database.exec("rollback to svc_usage_add; release svc_usage_add");
                throw error;
            }
        },
        async peek(limit) {
            const rows = oldest.all(limit.items);
            if (rows.length === 0)
                return [];
            // Read before the lease was taken, a row may be settled by now; sent again it is a duplicate.
            const now = Date.now();
            if (Number(lease.run(holder, now + leaseMs, holder, now).changes) === 0)
                return null;
            return upTo(rows.map(({ id, item }) => ({ key: id, text: item })), limit, (entry) => utf8Bytes(entry.text));
        },
        remove: async (entries) => void removed.run(JSON.stringify(entries.map(({ key }) => key))),
        last: async () => known().last,
        size: async () => known().size,
        close: async () => void database.prepare(`update ${sender} set until_ms = 0 where holder = ?`).run(holder),
    };
}
