import { SvcError } from "../error.ts";
import type { BillPreview } from "../preview.ts";
import type { Svc } from "../svc.ts";
/** A state of the bill; a new object whenever anything in it changes. */
export interface Snapshot {
    readonly data: BillPreview | null;
    readonly error: SvcError | null;
    readonly isFetching: boolean;
    /** When `data` was fetched, in milliseconds since 1970; 0 where that is not known. */
    readonly dataUpdatedAt: number;
}
export declare const EMPTY: Snapshot;
/** What one who shows the bill wants of it. */
export interface Wishes {
    /** Milliseconds between two fetches; null for none. */
    readonly refetchInterval: number | null;
    readonly refetchOnFocus: boolean;
}
export declare class PreviewStore {
    #private;
    constructor(svc: Svc);
    readonly snapshot: () => Snapshot;
    /** Takes a bill that was fetched elsewhere, where there is none yet. */
    seed(data: BillPreview, dataUpdatedAt: number): void;
    /** Fetches where needed and tells of changes, until the returned function is called. */
    subscribe(wishes: Wishes, changed: () => void): () => void;
    /** Fetches now, or as soon as the service allows; one answer serves all who ask meanwhile. */
    readonly refetch: () => Promise<Snapshot>;
    /** What to wait for while there is nothing to show; null where the last failure is to be shown. */
    load(): Promise<void> | null;
}
export declare function storeOf(svc: Svc): PreviewStore;
