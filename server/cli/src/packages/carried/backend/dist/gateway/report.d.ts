import type { Units, UsageKeys } from "../options.ts";
import type { Reports } from "./format.ts";
/** Collects what one request has used. */
export interface RequestUsage<K extends UsageKeys = UsageKeys> {
    /**
     * Sets the value of a meter that the route reports; the last one for a meter counts. Throws `ITEM_FORM` for what is no
     * quantity, and `USAGE_TOO_LATE` when the answer has gone out.
     *
     * ```ts
     * usage.report("compute_ms", 125);
     * ```
     */
    report(meter: K["meter"], units: Units): void;
    /** Id of the request as the gateway gave it, or null where it came past the gateway. */
    readonly requestId: string | null;
}
export declare class Collected implements RequestUsage {
    #private;
    readonly requestId: string | null;
    constructor(requestId: string | null);
    report(meter: string, units: Units): void;
    /** What was reported; nothing can be added after. Null where there is nothing to say, or no gateway to hear it. */
    take(): Reports | null;
}
