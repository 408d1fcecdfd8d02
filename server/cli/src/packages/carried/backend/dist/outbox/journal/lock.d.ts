/** Takes the lock, also from a process that is gone. Returns what lets go of it. Throws `JOURNAL_LOCKED`. */
export declare function lock(path: string): () => void;
