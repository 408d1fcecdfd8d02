// Money set aside before a request is served, and settled after it.

import { delayMs, sleep } from "./backoff.ts";
import { HoldRefused, UsageError } from "./errors.ts";
import { HOLD_TIMEOUT_MS } from "./limits.ts";
import type { Reported, Units, UsageItem, UsageKeys } from "./options.ts";
import { post, type Answer, type Service } from "./transport.ts";

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
  reports?: { readonly [meter in K["meter"]]?: Reported };
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

export async function withHold<T, K extends UsageKeys, R extends HoldRequest<K>>(
  service: Service,
  report: Report,
  request: R,
  work: (hold: Hold<K, R>) => Promise<T>,
): Promise<T> {
  const { id, subject, route, meter, units, expiresInSeconds, timeoutMs = HOLD_TIMEOUT_MS } = request;
  const what = route === undefined ? { meter, units } : { route };
  const body = JSON.stringify({ subject, id, ...what, expiresInSeconds });
  const { heldNanos, expiresAt, state } = await setHold(service, body, timeoutMs);
  let open = state === "open";
  const hold: Hold<K, R> = {
    id,
    heldNanos,
    expiresAt,
    async settle(outcome) {
      // A retried request finds the hold that its first run has settled: the report is then the very same item, a duplicate.
      if (!open && state === "open") throw new UsageError("HOLD_ENDED", `The hold ${id} is settled or released already.`);
      open = false;
      const { status, reports, units } = outcome as RouteOutcome & MeterOutcome;
      const what = route === undefined ? { meter, units } : { route, status, reports };
      try {
        await report({ id, subject, hold: id, ...what } as UsageItem);
      } catch (error) {
        open = state === "open"; // nothing was taken: the money is still to be let go
        throw error;
      }
    },
  };
  try {
    return await work(hold);
  } finally {
    // Not awaited by the caller's answer: a hold that can't be released now lets go by itself.
    if (open) void post(service, `/holds/${encodeURIComponent(id)}/release`, JSON.stringify({ subject }), AbortSignal.timeout(timeoutMs));
  }
}

async function setHold(service: Service, body: string, timeoutMs: number) {
  const limit = AbortSignal.timeout(timeoutMs);
  let answer: Answer;
  // The id makes it safe to ask again: the same hold answers.
  for (let attempt = 1; ; attempt++) {
    answer = await post(service, "/holds", body, limit);
    if (answer.kind !== "again" || limit.aborted) break;
    await sleep(delayMs(attempt, answer.retryAfterMs, Math.random), limit);
    if (limit.aborted) break;
  }
  if (answer.kind === "again") throw new UsageError("HOLD_UNAVAILABLE", `No hold within ${timeoutMs} ms: ${answer.code}.`);
  if (answer.kind !== "answered") throw new HoldRefused(answer.code, answer.message, answer.status);
  const { heldNanos, expiresAt, state } = answer.body as { heldNanos: string; expiresAt: string; state: string };
  return { heldNanos, expiresAt, state };
}
