import { UsageError } from "./errors.ts";
import { type Listener } from "./events.ts";
import { type HoldRequest, type Hold } from "./holds.ts";
import type { Flushed, FlushOptions, UsageEvents, UsageItem, UsageKeys, UsageOptions } from "./options.ts";
/** Reports usage. Make one for the process, and `close` it at the end. */
export interface Usage<K extends UsageKeys = UsageKeys> {
    /**
     * Takes items, all or none. Resolves when they are in the outbox, not when the service has them: from then on they are
     * delivered as long as the outbox survives. Rejects with `ITEM_FORM`, `OUTBOX_FULL`, `OUTBOX_FAILED` or `CLOSED`.
     * While sending is stopped, items are still taken.
     *
     * ```ts
     * await usage.report({ id: "job-7", subject: "user_42", meter: "compute_ms", units: 125 });
     * ```
     */
    report(...items: readonly UsageItem<K>[]): Promise<void>;
    /** Sends at once. Resolves when all that was reported before is answered for, when sending is stopped, or after `timeoutMs`. */
    flush(options?: FlushOptions): Promise<Flushed>;
    /** Flushes, then ends. Look at `pending`: what a memory outbox still holds is lost with the process. */
    close(options?: FlushOptions): Promise<Flushed>;
    /** Calls the listener at each such event; what is returned takes it away again. */
    on<E extends keyof UsageEvents>(event: E, listener: Listener<E>): () => void;
    /** Why sending has stopped, or null. */
    readonly stopped: UsageError | null;
    /** Starts sending again after it has stopped, with the same bytes. */
    resume(): void;
    /**
     * Sets money aside, does the work, and settles. Throws `HoldRefused` when the plan denies it (`SPEND_LIMIT_REACHED`: answer
     * 402), and `HOLD_UNAVAILABLE` when the service does not answer in time. What the work did not settle is let go, also when
     * it throws.
     *
     * ```ts
     * const job = await usage.withHold({ id: requestId, subject, route: "POST /v1/jobs" }, async (hold) => {
     *   const job = await run(input);
     *   await hold.settle({ status: 201, reports: { compute_ms: job.ms } });
     *   return job;
     * });
     * ```
     */
    withHold<T, R extends HoldRequest<K>>(request: R, work: (hold: Hold<K, R>) => Promise<T>): Promise<T>;
}
/**
 * Makes a reporter of usage.
 *
 * ```ts
 * const usage = createUsage({ url: "https://svc.example.com", token: process.env.SVC_TOKEN!, business: "biz_1" });
 * usage.on("refused", ({ id, code }) => log.error({ id, code }));
 * await usage.report({ requestId, subject: "user_42", route: "POST /v1/jobs", status: 201, reports: { compute_ms: 125 } });
 * await usage.close();
 * ```
 */
export declare function createUsage<K extends UsageKeys = UsageKeys>(options: UsageOptions): Usage<K>;
