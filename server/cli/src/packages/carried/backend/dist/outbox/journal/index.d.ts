import { type Outbox } from "../outbox.ts";
export interface JournalOptions {
    /**
     * The journal's file, in a folder that is there and on a disk of this machine. A file `<path>.lock` stands beside it.
     *
     * ```ts
     * await journalOutbox({ path: "/var/lib/app/usage.journal" })
     * ```
     */
    path: string;
    /**
     * Bytes that the file may have; past it, `report` rejects with `OUTBOX_FULL`. Default 64 MiB.
     *
     * ```ts
     * await journalOutbox({ path, bytesMax: 1024 * 1024 * 1024 })
     * ```
     */
    bytesMax?: number;
}
/**
 * Opens a journal. `report` resolves when its items are on the disk (fsync; reports at the same moment share one). What an
 * earlier process left is sent first. Throws `JOURNAL_LOCKED` and `JOURNAL_CORRUPT`; the end that a crash tore off is cut.
 */
export declare function journalOutbox(options: JournalOptions): Promise<Outbox>;
