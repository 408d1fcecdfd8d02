// The error of a call that gave no bill.
/** What `getBillPreview` rejects with, and what the hook hands over as `error`. */
export class SvcError extends Error {
    name = "SvcError";
    /**
     * The service's code, such as `UNAUTHORIZED`, `NOT_FOUND` (no live subscription) or `STORE_UNAVAILABLE`; or `NETWORK`,
     * `TIMEOUT`, `ABORTED`, `TOKEN` (`getToken` failed), `TOKEN_KIND` (it gave
     * a secret one), `ANSWER_FORM` (not a bill), `HTTP_<status>`.
     */
    code;
    /** The HTTP status; 0 where there was no answer. */
    status;
    /** How long the service asks to wait, in milliseconds; null where it does not. */
    retryAfterMs;
    /** What to name to the service's operator; null where there was no answer. */
    requestId;
    constructor(code, message, details = {}) {
        super(message, { cause: details.cause });
        this.code = code;
        this.status = details.status ?? 0;
        this.retryAfterMs = details.retryAfterMs ?? null;
        this.requestId = details.requestId ?? null;
    }
}
