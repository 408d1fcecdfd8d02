/** The service takes no more items in one batch. */
export declare const BATCH_ITEMS_MAX = 1000;
/** Bytes of one batch's body, envelope included: 1 MiB, which is the service's own bound, too. */
export declare const BATCH_BYTES_MAX = 1048576;
/** Bytes of one item's JSON: 64 KiB. */
export declare const ITEM_BYTES_MAX = 65536;
/** Characters of an id, a subject, a unique key. */
export declare const NAME_CHARACTERS_MAX = 200;
/** Largest quantity of one report. */
export declare const UNITS_MAX: bigint;
/** Fraction digits of a quantity. */
export declare const UNITS_FRACTION_DIGITS_MAX = 9;
/** A batch is sent as soon as so many items wait … */
export declare const SEND_AT_ITEMS = 100;
/** … or so long after the first of them was reported. */
export declare const SEND_AFTER_MS = 1000;
/** How often an outbox that others write to is looked at. */
export declare const POLL_MS = 1000;
/** One request to the service; past it, the answer counts as lost. */
export declare const REQUEST_TIMEOUT_MS = 30000;
/** Most bytes of an answer that are read: 8 MiB. */
export declare const ANSWER_BYTES_MAX = 8388608;
/** Longest wait before the second attempt; it doubles with each further one … */
export declare const RETRY_FIRST_MS = 250;
/** … up to this. */
export declare const RETRY_MAX_MS = 30000;
/** A `Retry-After` beyond this is cut to it. */
export declare const RETRY_AFTER_MAX_MS = 300000;
/** How long `flush` and `close` wait unless told otherwise. */
export declare const FLUSH_TIMEOUT_MS = 30000;
/** Items that the memory outbox holds unless told otherwise. */
export declare const MEMORY_ITEMS_MAX = 10000;
/** Bytes that the memory outbox holds unless told otherwise: 16 MiB. */
export declare const MEMORY_BYTES_MAX = 16777216;
/** Bytes of the journal's file unless told otherwise: 64 MiB. */
export declare const JOURNAL_BYTES_MAX = 67108864;
/** A journal of this size, more than half of it settled, is written anew: 4 MiB. */
export declare const JOURNAL_COMPACT_BYTES = 4194304;
/**
 * How long one process may send from a shared table without renewing its lease, so also how long the others wait when it was
 * killed. One that outlives its lease does no harm: what it sends then are duplicates.
 */
export declare const LEASE_MS = 10000;
/** How long a hold may take to be set before the request is turned away. */
export declare const HOLD_TIMEOUT_MS = 5000;
/** Bytes of a `svc-usage` header or trailer: 8 KiB, what proxies commonly let through. */
export declare const GATEWAY_HEADER_BYTES_MAX = 8192;
/** Meters in one `svc-usage` value. */
export declare const GATEWAY_REPORTS_MAX = 64;
/** How far the clocks of backend and gateway may be apart. */
export declare const GATEWAY_CLOCK_SECONDS_MAX = 300;
/** Characters of the secret that backend and gateway share. */
export declare const GATEWAY_SECRET_CHARACTERS_MIN = 32;
