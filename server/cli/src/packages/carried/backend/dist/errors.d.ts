export type UsageErrorCode = 
/** An option of `createUsage` or of an outbox has another form. */
"OPTION_FORM"
/** An item has another form than the service takes, or no id. */
 | "ITEM_FORM"
/** The outbox has no room; the item was not taken. */
 | "OUTBOX_FULL"
/** `close` was called before. */
 | "CLOSED"
/** 401: the service does not know the token. Sending has stopped. */
 | "UNAUTHORIZED"
/** 403: the token is of another kind. Sending has stopped. */
 | "FORBIDDEN"
/** The service refused the call itself (wrong address or business, another version). Sending has stopped. */
 | "SERVICE_REFUSED"
/** No good answer for `retryForMs`. Sending has stopped; everything is still in the outbox. */
 | "BUDGET_SPENT"
/** The outbox itself failed: a disk or a database. Nothing that was taken before is lost. */
 | "OUTBOX_FAILED"
/** Another process, or another `createUsage` of this one, has the journal open. */
 | "JOURNAL_LOCKED"
/** The journal's file is damaged before its end. */
 | "JOURNAL_CORRUPT"
/** A usage report was added to an answer whose header, or trailer, is already sent. */
 | "USAGE_TOO_LATE"
/** A hold can't be set now: the service does not answer. */
 | "HOLD_UNAVAILABLE"
/** A hold was settled or released before. */
 | "HOLD_ENDED";
/** What this package throws. `code` is stable; `message` is one sentence for people. */
export declare class UsageError extends Error {
    readonly name = "UsageError";
    readonly code: UsageErrorCode;
    constructor(code: UsageErrorCode, message: string, options?: ErrorOptions);
}
/** The service's own refusal of a hold, such as `SPEND_LIMIT_REACHED`; codes are listed in the API's documentation. */
export declare class HoldRefused extends Error {
    readonly name = "HoldRefused";
    /** The problem's code. */
    readonly code: string;
    /** The HTTP status. */
    readonly status: number;
    constructor(code: string, message: string, status: number);
}
