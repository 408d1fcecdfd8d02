// Every bound of the package, with its unit last in the name.
/** One request for a bill; past it, the answer counts as lost. */
export const REQUEST_TIMEOUT_MS = 15_000;
/** A `Retry-After` beyond this is cut to it. */
export const RETRY_AFTER_MAX_MS = 300_000;
/** Two components that mount within this time share one bill. */
export const DEDUPE_MS = 2_000;
/** Coming back to the page asks for the bill again, but not more often than this. */
export const FOCUS_THROTTLE_MS = 5_000;
/** Shortest time between two polls. */
export const REFETCH_INTERVAL_MIN_MS = 1_000;
/** Longest delay of a timer that browsers keep to. */
export const TIMER_MAX_MS = 2_147_483_647;
/** Digits behind the point that a nanodollar amount can have. */
export const NANOS_DIGITS = 9;
export const CENTS_DIGITS = 2;
/** Life that the server side asks for a portal token, and the longest it keeps one. */
export const TOKEN_LIFE_SECONDS = 300;
/** A token this near its end is not used any more. */
export const TOKEN_MARGIN_MS = 30_000;
/** Subjects whose tokens are kept at once; then the oldest goes. */
export const TOKENS_MAX = 10_000;
