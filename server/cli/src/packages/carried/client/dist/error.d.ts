/** What `getBillPreview` rejects with, and what the hook hands over as `error`. */
export declare class SvcError extends Error {
    readonly name = "SvcError";
    /**
     * The service's code, such as `UNAUTHORIZED`, `NOT_FOUND` (no live subscription) or `STORE_UNAVAILABLE`; or `NETWORK`,
     * `TIMEOUT`, `ABORTED`, `TOKEN` (`getToken` failed), `TOKEN_KIND` (it gave
     * a secret one), `ANSWER_FORM` (not a bill), `HTTP_<status>`.
     */
    readonly code: string;
    /** The HTTP status; 0 where there was no answer. */
    readonly status: number;
    /** How long the service asks to wait, in milliseconds; null where it does not. */
    readonly retryAfterMs: number | null;
    /** What to name to the service's operator; null where there was no answer. */
    readonly requestId: string | null;
    constructor(code: string, message: string, details?: {
        status?: number;
        retryAfterMs?: number | null;
        requestId?: string | null;
        cause?: unknown;
    });
}
