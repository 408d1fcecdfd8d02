import type { Reported, Units, UsageItem, UsageKeys } from "./options.ts";
import { type Service } from "./transport.ts";
interface HoldCommon {
    /**
     * Unique for its subject, for good, and the same when the request is retried: 1 to 200 characters. The item that settles
     * the hold gets it as its id.
     *
     * ```ts
     * { id: request.headers["svc-request-id"] }
     * ```
     */
    id: string;
    /** The subscriber, as the subscription names it. Example: `subject: "user_42"`. */
    subject: string;
    /**
     * Seconds after which the hold lets go by itself: 1 to 86,400. Default 900. Choose more than the work can take.
     *
     * ```ts
     * { expiresInSeconds: 3_600 }
     * ```
     */
    expiresInSeconds?: number;
    /**
     * Longest wait for the hold, in milliseconds; then `HOLD_UNAVAILABLE`. Default 5,000.
     *
     * ```ts
     * { timeoutMs: 500 }
     * ```
     */
    timeoutMs?: number;
}
/** A hold for a route, estimated at its costs and estimates. */
export interface RouteHold<K extends UsageKeys = UsageKeys> extends HoldCommon {
    /**
     * Method and path as they are served.
     *
     * ```ts
     * { route: "POST /v1/jobs" }
     * ```
     */
    route: K["route"];
    meter?: never;
    units?: never;
}
/** A hold for units of a meter. */
export interface MeterHold<K extends UsageKeys = UsageKeys> extends HoldCommon {
    /**
     * Key of a `@Meter`.
     *
     * ```ts
     * { meter: "tokens", units: 4_000 }
     * ```
     */
    meter: K["meter"];
    /** How much at most, in the meter's unit. Example: `units: 4_000`. */
    units: Units;
    route?: never;
}
export type HoldRequest<K extends UsageKeys = UsageKeys> = RouteHold<K> | MeterHold<K>;
/** What settles a route's hold. */
export interface RouteOutcome<K extends UsageKeys = UsageKeys> {
    /** The answer's status, 100 to 599. Example: `status: 201`. */
    status: number;
    /** Measured values of the meters that the route reports. Example: `reports: { compute_ms: 125 }`. */
    reports?: {
        readonly [meter in K["meter"]]?: Reported;
    };
}
/** What settles a meter's hold. */
export interface MeterOutcome {
    /** How much it was in the end; may be more than was held. Example: `units: 3_900`. */
    units: Units;
}
/** A hold that is set. */
export interface Hold<K extends UsageKeys = UsageKeys, R extends HoldRequest<K> = HoldRequest<K>> {
    readonly id: string;
    /** What was set aside, in nanodollars. */
    readonly heldNanos: string;
    /** When it lets go by itself: ISO 8601, UTC. */
    readonly expiresAt: string;
    /** Reports what was used; resolves when the report is in the outbox. Once; then `HOLD_ENDED`. */
    settle(outcome: R extends RouteHold<K> ? RouteOutcome<K> : MeterOutcome): Promise<void>;
}
type Report = (item: UsageItem) => Promise<void>;
export declare function withHold<T, K extends UsageKeys, R extends HoldRequest<K>>(service: Service, report: Report, request: R, work: (hold: Hold<K, R>) => Promise<T>): Promise<T>;
export {};
