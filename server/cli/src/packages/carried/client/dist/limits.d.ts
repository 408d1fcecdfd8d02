/** One request for a bill; past it, the answer counts as lost. */
export declare const REQUEST_TIMEOUT_MS = 15000;
/** A `Retry-After` beyond this is cut to it. */
export declare const RETRY_AFTER_MAX_MS = 300000;
/** Two components that mount within this time share one bill. */
export declare const DEDUPE_MS = 2000;
/** Coming back to the page asks for the bill again, but not more often than this. */
export declare const FOCUS_THROTTLE_MS = 5000;
/** Shortest time between two polls. */
export declare const REFETCH_INTERVAL_MIN_MS = 1000;
/** Longest delay of a timer that browsers keep to. */
export declare const TIMER_MAX_MS = 2147483647;
/** Digits behind the point that a nanodollar amount can have. */
export declare const NANOS_DIGITS = 9;
export declare const CENTS_DIGITS = 2;
/** Life that the server side asks for a portal token, and the longest it keeps one. */
export declare const TOKEN_LIFE_SECONDS = 300;
/** A token this near its end is not used any more. */
export declare const TOKEN_MARGIN_MS = 30000;
/** Subjects whose tokens are kept at once; then the oldest goes. */
export declare const TOKENS_MAX = 10000;
