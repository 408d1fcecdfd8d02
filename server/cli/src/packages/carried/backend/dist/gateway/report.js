// What one request has used, collected until its answer goes out.
import { UsageError } from "../errors.js";
import { unitsOf } from "../item.js";
export class Collected {
    requestId;
    #reports = new Map();
    #sent = false;
    constructor(requestId) {
        this.requestId = requestId;
    }
    report(meter, units) {
        if (this.#sent)
            throw new UsageError("USAGE_TOO_LATE", `The answer has gone out; ${meter} can't be reported with it any more.`);
        this.#reports.set(meter, unitsOf(units, `\`${meter}\``));
    }
    /** What was reported; nothing can be added after. Null where there is nothing to say, or no gateway to hear it. */
    take() {
        this.#sent = true;
        return this.requestId === null || this.#reports.size === 0 ? null : Object.fromEntries(this.#reports);
    }
}
