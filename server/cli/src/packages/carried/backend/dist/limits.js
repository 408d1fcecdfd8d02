// Every bound of the package, with its unit last in the name.
/** The service takes no more items in one batch. */
export const BATCH_ITEMS_MAX = 1_000;
/** Bytes of one batch's body, envelope included: 1 MiB, which is the service's own bound, too. */
export const BATCH_BYTES_MAX = 1_048_576;
/** Bytes of one item's JSON: 64 KiB. */
export const ITEM_BYTES_MAX = 65_536;
/** Characters of an id, a subject, a unique key. */
export const NAME_CHARACTERS_MAX = 200;
/** Largest quantity of one report. */
export const UNITS_MAX = 10n ** 15n;
/** Fraction digits of a quantity. */
export const UNITS_FRACTION_DIGITS_MAX = 9;
/** A batch is sent as soon as so many items wait … */
export const SEND_AT_ITEMS = 100;
/** … or so long after the first of them was reported. */
export const SEND_AFTER_MS = 1_000;
/** How often an outbox that others write to is looked at. */
export const POLL_MS = 1_000;
/** One request to the service; past it, the answer counts as lost. */
export const REQUEST_TIMEOUT_MS = 30_000;
/** Most bytes of an answer that are read: 8 MiB. */
export const ANSWER_BYTES_MAX = 8_388_608;
/** Longest wait before the second attempt; it doubles with each further one … */
export const RETRY_FIRST_MS = 250;
/** … up to this. */
export const RETRY_MAX_MS = 30_000;
/** A `Retry-After` beyond this is cut to it. */
export const RETRY_AFTER_MAX_MS = 300_000;
/** How long `flush` and `close` wait unless told otherwise. */
export const FLUSH_TIMEOUT_MS = 30_000;
/** Items that the memory outbox holds unless told otherwise. */
export const MEMORY_ITEMS_MAX = 10_000;
/** Bytes that the memory outbox holds unless told otherwise: 16 MiB. */
export const MEMORY_BYTES_MAX = 16_777_216;
/** Bytes of the journal's file unless told otherwise: 64 MiB. */
export const JOURNAL_BYTES_MAX = 67_108_864;
/** A journal of this size, more than half of it settled, is written anew: 4 MiB. */
export const JOURNAL_COMPACT_BYTES = 4_194_304;
/**
 * How long one process may send from a shared table without renewing its lease, so also how long the others wait when it was
 * killed. One that outlives its lease does no harm: what it sends then are duplicates.
 */
export const LEASE_MS = 10_000;
/** How long a hold may take to be set before the request is turned away. */
export const HOLD_TIMEOUT_MS = 5_000;
/** Bytes of a `svc-usage` header or trailer: 8 KiB, what proxies commonly let through. */
export const GATEWAY_HEADER_BYTES_MAX = 8_192;
/** Meters in one `svc-usage` value. */
export const GATEWAY_REPORTS_MAX = 64;
/** How far the clocks of backend and gateway may be apart. */
export const GATEWAY_CLOCK_SECONDS_MAX = 300;
/** Characters of the secret that backend and gateway share. */
export const GATEWAY_SECRET_CHARACTERS_MIN = 32;
