import type { UsageError } from "./errors.ts";
import type { Outbox } from "./outbox/outbox.ts";
/**
 * The keys of one product, to have them checked by the compiler; any string unless given.
 *
 * ```ts
 * import type { MeterKey } from "../product/keys.ts";
 * const usage = createUsage<{ meter: MeterKey; route: string }>({ url, token, business });
 * ```
 */
export interface UsageKeys {
    /** Keys of the `@Meter`s. Example: `meter: "compute_ms" | "tokens"`. */
    meter: string;
    /** Served routes. Example: `` route: "POST /v1/jobs" | `GET /v1/jobs/${string}` ``. */
    route: string;
}
/**
 * A quantity: a non-negative integer, or a decimal as text with up to nine fraction digits; at most 10^15.
 * A fraction as a number is refused, since most of them are not what they look like.
 *
 * ```ts
 * const units: Units = 125;
 * const exact: Units = "0.125";
 * ```
 */
export type Units = number | string;
/** An id of the caller's own. */
export interface GivenId {
    /**
     * Unique for its subject, for good: 1 to 200 characters. Reporting the very same item again under it changes nothing;
     * another item under it is refused as `ITEM_CONFLICT`. So it must be the **same** on a retry: take it from what was
     * done (an order's number, a job's id), never from a random source at the moment of reporting.
     *
     * ```ts
     * await usage.report({ id: `job-${job.id}`, subject: job.owner, meter: "compute_ms", units: job.ms });
     * ```
     */
    id: string;
    requestId?: never;
    part?: never;
}
/** An id derived from the request that was served. */
export interface DerivedId {
    /**
     * The id of the request that was served, the same when that request is retried: from a gateway or a queue you trust,
     * never as a browser sent it. A served request's item gets it as its id; a measured value's gets it with the meter.
     *
     * ```ts
     * await usage.report({ requestId: request.headers["x-request-id"], subject, meter: "compute_ms", units: 125 });
     * ```
     */
    requestId: string;
    /**
     * Tells two reports of one request on one meter apart; without it the second would be a repeat of the first.
     *
     * ```ts
     * await usage.report({ requestId, part: `chunk-${n}`, subject, meter: "tokens", units: chunk.tokens });
     * ```
     */
    part?: string;
    id?: never;
}
/** What every item may have. */
export interface ItemCommon {
    /**
     * The subscriber, as the subscription names it: 1 to 200 characters, no control characters.
     *
     * ```ts
     * { subject: "user_42" }
     * ```
     */
    subject: string;
    /**
     * When it happened. Kept with the charge; the charge belongs to the period in which it is admitted. Left out by default:
     * an item that is reported again with another moment would be another item (`ITEM_CONFLICT`).
     *
     * ```ts
     * { occurredAt: "2026-11-28T10:00:00Z" } // or a Date
     * ```
     */
    occurredAt?: string | Date;
    /**
     * The id of a hold whose money pays first; what is left of it is let go. `withHold` fills this in.
     *
     * ```ts
     * { hold: "req-7" }
     * ```
     */
    hold?: string;
}
/** A measured value on one meter. */
export type MeasuredItem<K extends UsageKeys = UsageKeys> = ItemCommon & (GivenId | DerivedId) & {
    /**
     * Key of a `@Meter`.
     *
     * ```ts
     * { meter: "compute_ms", units: 125 }
     * ```
     */
    meter: K["meter"];
    /** How much of it, in the meter's unit. Example: `units: 125`, or `units: "0.125"`. */
    units: Units;
    /**
     * What a meter with `aggregation: "unique"` counts once: 1 to 200 characters. Needed there, refused elsewhere.
     *
     * ```ts
     * { meter: "active_users", units: 1, uniqueKey: visitor.id }
     * ```
     */
    uniqueKey?: string;
    /**
     * The values of the attributes by which the meter counts; needed where it has some. Two items of one request that differ in them are two.
     *
     * ```ts
     * { meter: "tokens", units: 1_200, by: { model: "m-large", kind: "input" } }
     * ```
     */
    by?: Attributes;
    route?: never;
    status?: never;
    reports?: never;
};
/** Values of a meter's attributes, by their names. */
export interface Attributes {
    readonly [attribute: string]: string;
}
/** What a route reports of one meter. */
export type Reported = Units | readonly ReportedCell[];
/** What was used of one combination of a meter's attributes. */
export interface ReportedCell {
    /** How many units. Example: `1_200` */
    readonly units: Units;
    /** The values of the meter's attributes. Example: `{ model: "m-large", kind: "input" }` */
    readonly by: Attributes;
}
/** A request that was served; the product's routes say what it costs. */
export type ServedItem<K extends UsageKeys = UsageKeys> = ItemCommon & (GivenId | DerivedId) & {
    /**
     * Method and path as they were served.
     *
     * ```ts
     * { route: "POST /v1/jobs", status: 201 }
     * ```
     */
    route: K["route"];
    /** The answer's status, 100 to 599; fixed costs are charged when it is in the route's range. Example: `status: 201`. */
    status: number;
    /**
     * Measured values of the meters that the route `reports`.
     *
     * ```ts
     * { route: "POST /v1/jobs", status: 201, reports: { compute_ms: 125 } }
     * ```
     *
     * Of a meter that counts by attributes, a list of values with them.
     *
     * ```ts
     * { route: "POST /v1/chat", status: 200, reports: { tokens: [{ units: 90, by: { model: "m-large", kind: "input" } }] } }
     * ```
     */
    reports?: {
        readonly [meter in K["meter"]]?: Reported;
    };
    by?: never;
    meter?: never;
    units?: never;
    uniqueKey?: never;
};
/** One thing to report. */
export type UsageItem<K extends UsageKeys = UsageKeys> = MeasuredItem<K> | ServedItem<K>;
/** What `createUsage` takes. */
export interface UsageOptions {
    /**
     * Where the service is, without a path of the API.
     *
     * ```ts
     * createUsage({ url: "https://svc.example.com", token, business })
     * ```
     */
    url: string | URL;
    /**
     * A deploy token of the business, or a function that gives one; it is called for every request, so a token can be
     * rotated without a restart.
     *
     * ```ts
     * createUsage({ url, token: () => secrets.get("svc-token"), business })
     * ```
     */
    token: string | (() => string | Promise<string>);
    /**
     * Id of the business.
     *
     * ```ts
     * createUsage({ url, token, business: "biz_1" })
     * ```
     */
    business: string;
    /**
     * Where items wait until the service has them. Memory by default, which a crash empties.
     *
     * ```ts
     * import { journalOutbox } from "@svc/backend/journal";
     * createUsage({ url, token, business, outbox: await journalOutbox({ path: "/var/lib/app/usage.journal" }) })
     * ```
     */
    outbox?: Outbox;
    /**
     * A batch is sent as soon as so many items wait: 1 to 1,000. Default 100.
     *
     * ```ts
     * createUsage({ url, token, business, sendAtItems: 500 })
     * ```
     */
    sendAtItems?: number;
    /**
     * Longest wait of an item before its batch is sent, in milliseconds. Default 1,000.
     *
     * ```ts
     * createUsage({ url, token, business, sendAfterMs: 0 }) // at once
     * ```
     */
    sendAfterMs?: number;
    /**
     * The budget of retries: how long a batch is tried again without one good answer before sending stops with
     * `BUDGET_SPENT`, in milliseconds. Nothing is dropped then. Default: without end.
     *
     * ```ts
     * createUsage({ url, token, business, retryForMs: 3_600_000 })
     * ```
     */
    retryForMs?: number;
    /**
     * Longest wait for one answer, in milliseconds. Default 30,000.
     *
     * ```ts
     * createUsage({ url, token, business, requestTimeoutMs: 5_000 })
     * ```
     */
    requestTimeoutMs?: number;
    /**
     * Used in place of the global `fetch`.
     *
     * ```ts
     * createUsage({ url, token, business, fetch: instrumented(fetch) })
     * ```
     */
    fetch?: typeof globalThis.fetch;
}
/** The service has the item and charged it now. */
export interface AcceptedEvent {
    id: string;
    subject: string;
    /** How many charges it made; 0 where its status does not count and nothing was reported. */
    charges: number;
}
/** The service had the very same item before; the first result stands. */
export interface DuplicateEvent {
    id: string;
    subject: string;
    /** Charges of the first time. */
    charges: number;
}
/** The service will not take the item. It is not sent again. */
export interface RefusedEvent {
    id: string;
    subject: string;
    /** The service's code, such as `UNKNOWN_METER`. */
    code: string;
    message: string;
    /** The item as it was sent. */
    item: unknown;
}
/** A batch was not answered, or was put off; it is sent again, the very same bytes, after the delay. */
export interface RetryingEvent {
    /** 1 for the first retry. */
    attempt: number;
    delayMs: number;
    /** `NETWORK`, `TIMEOUT`, `ANSWER_FORM`, `TOKEN`, `OUTBOX_FAILED`, or the service's code, such as `BUSY`. */
    code: string;
    /** How many items the batch has; 0 where the outbox could not be read. */
    items: number;
    /** With `OUTBOX_FAILED`, what the outbox threw. */
    error?: unknown;
}
/** Sending has stopped; see the error's code. `resume` starts it again. */
export interface StoppedEvent {
    error: UsageError;
}
export interface UsageEvents {
    accepted: AcceptedEvent;
    duplicate: DuplicateEvent;
    refused: RefusedEvent;
    retrying: RetryingEvent;
    stopped: StoppedEvent;
}
export interface FlushOptions {
    /**
     * Longest wait, in milliseconds. Default 30,000.
     *
     * ```ts
     * await usage.close({ timeoutMs: 10_000 });
     * ```
     */
    timeoutMs?: number;
}
/** What is left after `flush` or `close`. */
export interface Flushed {
    /** Items still in the outbox; 0 when the service has answered for all of them. */
    pending: number;
    /** Why sending has stopped, where it has. */
    stopped: UsageError | null;
}
