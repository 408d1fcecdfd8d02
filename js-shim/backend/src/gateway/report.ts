// What one request has used, collected until its answer goes out.

import { UsageError } from "../errors.ts";
import { unitsOf } from "../item.ts";
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

export class Collected implements RequestUsage {
  readonly requestId: string | null;
  readonly #reports = new Map<string, Units>();
  #sent = false;

  constructor(requestId: string | null) {
    this.requestId = requestId;
  }

  report(meter: string, units: Units): void {
    if (this.#sent) throw new UsageError("USAGE_TOO_LATE", `The answer has gone out; ${meter} can't be reported with it any more.`);
    this.#reports.set(meter, unitsOf(units, `\`${meter}\``));
  }

  /** What was reported; nothing can be added after. Null where there is nothing to say, or no gateway to hear it. */
  take(): Reports | null {
    this.#sent = true;
    return this.requestId === null || this.#reports.size === 0 ? null : Object.fromEntries(this.#reports);
  }
}
