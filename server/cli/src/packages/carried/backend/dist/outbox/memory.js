// An outbox in memory: bounded, and gone with the process.
import { UsageError } from "../errors.js";
import { MEMORY_BYTES_MAX, MEMORY_ITEMS_MAX } from "../limits.js";
import { upTo } from "./outbox.js";
/**
 * Keeps items in memory. When it is full, `report` rejects with `OUTBOX_FULL`; it never drops an item. What it holds is
 * lost when the process dies, so call `close` before that, and take a journal or your database where usage is money.
 */
export function memoryOutbox(options = {}) {
    const { itemsMax = MEMORY_ITEMS_MAX, bytesMax = MEMORY_BYTES_MAX } = options;
    const entries = new Map();
    let bytes = 0;
    let newest = 0;
    return {
        async add(items) {
            const more = items.reduce((sum, item) => sum + item.bytes, 0);
            if (entries.size + items.length > itemsMax || bytes + more > bytesMax) {
                throw new UsageError("OUTBOX_FULL", `The outbox holds ${entries.size} items and has no room for ${items.length} more.`);
            }
            for (const { text, bytes } of items)
                entries.set(++newest, { key: newest, text, bytes });
            bytes += more;
        },
        async peek(limit) {
            return upTo(entries.values(), limit, (entry) => entries.get(entry.key)?.bytes ?? 0);
        },
        async remove(settled) {
            for (const { key } of settled) {
                bytes -= entries.get(key)?.bytes ?? 0;
                entries.delete(key);
            }
        },
        last: async () => (entries.size === 0 ? null : newest),
        size: async () => entries.size,
        close: async () => { },
    };
}
