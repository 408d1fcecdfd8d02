// How long to wait before the same bytes are sent again.
import { RETRY_AFTER_MAX_MS, RETRY_FIRST_MS, RETRY_MAX_MS } from "./limits.js";
/**
 * The wait before retry number `attempt` (from 1): full jitter, so that many senders that failed together don't come back
 * together. What the service asks for is kept to, with up to a tenth more.
 */
export function delayMs(attempt, retryAfterMs, random) {
    if (retryAfterMs !== undefined)
        return Math.ceil(retryAfterMs * (1 + random() / 10));
    const most = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** Math.min(attempt - 1, 30));
    return Math.ceil(random() * most);
}
/** `Retry-After` in milliseconds, seconds or a date; undefined where there is none that can be read. */
export function retryAfterMs(header, now) {
    if (header === null)
        return undefined;
    const wait = /^\s*\d{1,9}\s*$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
    if (Number.isNaN(wait))
        return undefined;
    return Math.min(RETRY_AFTER_MAX_MS, Math.max(0, wait));
}
/** Waits, or returns early when the signal aborts. */
export function sleep(ms, signal) {
    return new Promise((resolve) => {
        if (signal.aborted)
            return resolve();
        const done = () => {
            clearTimeout(timer);
            signal.removeEventListener("abort", done);
            resolve();
        };
        const timer = setTimeout(done, ms);
        signal.addEventListener("abort", done);
    });
}
