import type { FixedItem } from "../item.ts";
/** An item that waits. */
export interface Entry {
    /** Its place in the order of reporting; rises. */
    readonly key: number;
    /** The item's JSON, the same bytes on every attempt. */
    readonly text: string;
}
export interface PeekLimit {
    readonly items: number;
    readonly bytes: number;
}
/**
 * A place to wait. An item that was added is there until it is removed, whatever happens that the place survives; an item
 * that can't be added is rejected, never dropped. `memoryOutbox`, `journalOutbox`, `pgOutbox` and `sqliteOutbox` are such
 * places; yours may be another.
 */
export interface Outbox {
    /** Adds items, all or none; resolves when they are safe. Rejects with `OUTBOX_FULL` or `OUTBOX_FAILED`. */
    add(items: readonly FixedItem[]): Promise<void>;
    /** The oldest items, in order, at least one where any wait; null when another process is the one that sends now. */
    peek(limit: PeekLimit): Promise<readonly Entry[] | null>;
    /** Forgets items for good. */
    remove(entries: readonly Entry[]): Promise<void>;
    /** The key of the newest item, or null. */
    last(): Promise<number | null>;
    /** How many items wait. */
    size(): Promise<number>;
    /** Lets go of files and leases. The sender calls it once. */
    close(): Promise<void>;
    /** How often to look for items that others have added, in milliseconds; left out where all come through `add`. */
    readonly pollMs?: number;
}
/** Entries up to a limit, at least one where there is one. */
export declare function upTo(entries: Iterable<Entry>, limit: PeekLimit, bytesOf: (entry: Entry) => number): Entry[];
