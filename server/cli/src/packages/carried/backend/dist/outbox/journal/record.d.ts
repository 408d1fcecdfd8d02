export interface JournalRecord {
    /** Ranges of keys (both ends included) that were settled before. */
    readonly done: readonly (readonly [from: number, to: number])[];
    /** Items that were added, by key. */
    readonly add: readonly (readonly [key: number, text: string])[];
}
export interface Scan {
    readonly records: readonly JournalRecord[];
    /** Where the last whole record ends; what follows was torn by a crash. */
    readonly bytes: number;
    /** Where a record is damaged that whole ones follow, which no crash leaves; or null. */
    readonly corruptAt: number | null;
}
export declare function encode(record: JournalRecord): Buffer;
/** Reads a journal. Only its last record can be torn: each write was made safe before the next. */
export declare function scan(file: Buffer): Scan;
/** Neighbouring keys as ranges. */
export declare function ranges(keys: readonly number[]): [number, number][];
/** CRC-32 as in zip and PNG. */
export declare function crc32(bytes: Uint8Array): number;
