/**
 * The wait before retry number `attempt` (from 1): full jitter, so that many senders that failed together don't come back
 * together. What the service asks for is kept to, with up to a tenth more.
 */
export declare function delayMs(attempt: number, retryAfterMs: number | undefined, random: () => number): number;
/** `Retry-After` in milliseconds, seconds or a date; undefined where there is none that can be read. */
export declare function retryAfterMs(header: string | null, now: number): number | undefined;
/** Waits, or returns early when the signal aborts. */
export declare function sleep(ms: number, signal: AbortSignal): Promise<void>;
