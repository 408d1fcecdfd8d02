import { type Outbox } from "./outbox.ts";
export interface MemoryOutboxOptions {
    /**
     * Items it holds: 1 or more. Default 10,000.
     *
     * ```ts
     * memoryOutbox({ itemsMax: 50_000 })
     * ```
     */
    itemsMax?: number;
    /**
     * Bytes of JSON it holds. Default 16 MiB.
     *
     * ```ts
     * memoryOutbox({ bytesMax: 64 * 1024 * 1024 })
     * ```
     */
    bytesMax?: number;
}
/**
 * Keeps items in memory. When it is full, `report` rejects with `OUTBOX_FULL`; it never drops an item. What it holds is
 * lost when the process dies, so call `close` before that, and take a journal or your database where usage is money.
 */
export declare function memoryOutbox(options?: MemoryOutboxOptions): Outbox;
