import type { Entry } from "./outbox/outbox.ts";
/** Bytes of a body beside its items; the commas between them are counted with the items. */
export declare const ENVELOPE_BYTES: number;
/** The body of a batch: the items' own bytes, nothing written anew. */
export declare function bodyOf(entries: readonly Entry[]): string;
export type ItemResult = {
    readonly status: "accepted" | "duplicate";
    readonly charges: number;
} | {
    readonly status: "refused";
    readonly code: string;
    readonly message: string;
};
/** The results of a batch of so many items, or null where the answer has another form. */
export declare function resultsOf(answer: unknown, items: number): ItemResult[] | null;
