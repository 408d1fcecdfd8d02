// An outbox in your PostgreSQL: the item is written in the transaction of what it reports.
import { fixItem, utf8Bytes } from "../../item.js";
import { LEASE_MS, POLL_MS } from "../../limits.js";
import { upTo } from "../outbox.js";
import { tables } from "./statements.js";
/**
 * Keeps items in a table of your database. Any number of processes may write and send; one of them at a time sends, by a
 * lease, so order is kept.
 */
export function pgOutbox(options) {
    const { pool, pollMs = POLL_MS, leaseMs = LEASE_MS } = options;
    const { items, sender } = tables(options.table ?? "svc_usage");
    const holder = crypto.randomUUID();
    const schema = `create table if not exists ${items} (id bigint generated always as identity primary key, item text not null);
create table if not exists ${sender} (one boolean primary key default true check (one), holder text not null, until timestamptz not null);
insert into ${sender} (holder, until) values ('', 'epoch') on conflict do nothing;`;
    async function insert(client, fixed) {
        // Sorted by their place: `unnest` alone promises no order of the identities.
        const text = `insert into ${items} (item) select t.item from unnest($1::text[]) with ordinality t (item, place) order by t.place`;
        await client.query(text, [fixed.map((item) => item.text)]);
    }
    async function leased() {
        const text = `update ${sender} set holder = $1, until = now() + $2 * interval '1 millisecond' where holder = $1 or until < now() returning 1`;
        return (await pool.query(text, [holder, leaseMs])).rows.length > 0;
    }
    async function number(select) {
        const { value } = (await pool.query(`select ${select} as value from ${items}`)).rows[0];
        return value === null ? null : Number(value);
    }
    return {
        schema,
        pollMs,
        migrate: async () => void (await pool.query(schema)),
        write: (client, ...written) => insert(client, written.map((item) => fixItem(item))),
        add: (fixed) => insert(pool, fixed),
        async peek(limit) {
            // An idle table is only read; the lease is a write.
            if ((await pool.query(`select 1 from ${items} limit 1`)).rows.length === 0)
                return [];
            if (!(await leased()))
                return null;
            const { rows } = await pool.query(`select id, item from ${items} order by id limit $1`, [limit.items]);
            const entries = rows.map(({ id, item }) => ({ key: Number(id), text: item }));
            return upTo(entries, limit, (entry) => utf8Bytes(entry.text));
        },
        remove: async (entries) => void (await pool.query(`delete from ${items} where id = any($1::bigint[])`, [entries.map(({ key }) => key)])),
        last: () => number("max(id)"),
        size: async () => (await number("count(*)")) ?? 0,
        // Lets another process go on at once.
        close: async () => void (await pool.query(`update ${sender} set until = 'epoch' where holder = $1`, [holder])),
    };
}
