// The errors that this package throws or hands over, each with a stable code.
/** What this package throws. `code` is stable; `message` is one sentence for people. */
export class UsageError extends Error {
    name = "UsageError";
    code;
    constructor(code, message, options) {
        super(message, options);
        this.code = code;
    }
}
/** The service's own refusal of a hold, such as `SPEND_LIMIT_REACHED`; codes are listed in the API's documentation. */
export class HoldRefused extends Error {
    name = "HoldRefused";
    /** The problem's code. */
    code;
    /** The HTTP status. */
    status;
    constructor(code, message, status) {
        super(message);
        this.code = code;
        this.status = status;
    }
}
