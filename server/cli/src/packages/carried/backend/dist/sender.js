// Takes items from an outbox to the service, in order, until each is answered for.
//
// One batch is under way at a time, so what one subject reports arrives in the order in which it was reported. A batch
// that was not answered is sent again with the very same bytes. An item leaves the outbox only when the service has said
// what became of it.
import { delayMs, sleep } from "./backoff.js";
import { bodyOf, ENVELOPE_BYTES, resultsOf } from "./batch.js";
import { UsageError } from "./errors.js";
import { withoutHold } from "./item.js";
import { BATCH_BYTES_MAX, BATCH_ITEMS_MAX, POLL_MS } from "./limits.js";
const STOPPING = { 401: "UNAUTHORIZED", 403: "FORBIDDEN" };
const PEEK = { items: BATCH_ITEMS_MAX, bytes: BATCH_BYTES_MAX - ENVELOPE_BYTES - BATCH_ITEMS_MAX };
export class Sender {
    #options;
    #ended = new AbortController();
    /** Those who wait until everything up to a key is settled. */
    #waiting = new Set();
    #draining = null;
    #timer = null;
    /** Looks at the outbox in a row that failed. */
    #failures = 0;
    /** Items added since the last look at the outbox. */
    #added = 0;
    #stopped = null;
    constructor(options) {
        this.#options = options;
        // What an earlier process left behind, or others write, is found without a report.
        this.#later(0);
    }
    get stopped() {
        return this.#stopped;
    }
    /** Says that items were added. */
    added(items) {
        this.#added += items;
        if (this.#added >= this.#options.sendAtItems)
            this.#drain();
        else
            this.#later(this.#options.sendAfterMs);
    }
    resume() {
        this.#stopped = null;
        this.#drain();
    }
    /** Sends at once; resolves when everything that is in the outbox now is settled, or when it can't be. */
    async flush(timeoutMs) {
        const { outbox } = this.#options;
        const key = await outbox.last();
        if (key !== null && this.#stopped === null) {
            let waiter;
            const settled = new Promise((done) => this.#waiting.add((waiter = { key, done })));
            this.#drain();
            const limit = new AbortController();
            await Promise.race([settled, sleep(timeoutMs, limit.signal)]);
            limit.abort();
            if (waiter !== undefined)
                this.#waiting.delete(waiter);
        }
        return { pending: await outbox.size(), stopped: this.#stopped };
    }
    /** Ends whatever is under way. */
    async end() {
        this.#ended.abort();
        this.#clearTimer();
        await this.#draining;
    }
    /** Looks at the outbox in so many milliseconds, or before. */
    #later(ms) {
        if (this.#ended.signal.aborted || this.#stopped !== null)
            return;
        const due = Math.min(Date.now() + ms, this.#timer?.due ?? Infinity);
        this.#clearTimer();
        const id = setTimeout(() => {
            this.#timer = null;
            this.#drain();
        }, due - Date.now());
        this.#timer = { id, due };
        // Looking for others' items must not keep a process alive that has nothing else to do.
        if (this.#added === 0 && this.#waiting.size === 0)
            id.unref?.();
    }
    #clearTimer() {
        if (this.#timer !== null)
            clearTimeout(this.#timer.id);
        this.#timer = null;
    }
    #drain() {
        if (this.#draining !== null || this.#stopped !== null || this.#ended.signal.aborted)
            return;
        this.#clearTimer();
        this.#draining = this.#work().then((retryMs) => {
            this.#draining = null;
            const { outbox, sendAtItems, sendAfterMs } = this.#options;
            if (this.#stopped !== null)
                return this.#settle(Infinity);
            // Items may have been added, and someone may have begun to wait, just when the last look had found nothing.
            if (retryMs !== undefined)
                this.#later(retryMs);
            else if (this.#waiting.size > 0)
                this.#later(0);
            else if (this.#added > 0)
                this.#later(this.#added >= sendAtItems ? 0 : sendAfterMs);
            else if (outbox.pollMs !== undefined)
                this.#later(outbox.pollMs);
        });
    }
    /** Sends until nothing waits. Returns when to try again, where it could not. */
    async #work() {
        const { outbox } = this.#options;
        try {
            while (this.#stopped === null && !this.#ended.signal.aborted) {
                this.#added = 0;
                const entries = await outbox.peek(PEEK);
                this.#failures = 0;
                if (entries === null)
                    return outbox.pollMs ?? POLL_MS;
                this.#settle(entries[0]?.key ?? Infinity);
                if (entries.length === 0)
                    return undefined;
                await this.#deliver(entries);
            }
        }
        catch (error) {
            // A database comes back; what the outbox itself calls broken does not.
            if (!(error instanceof UsageError))
                return this.#failed(error);
            this.#stop(error);
        }
        return undefined;
    }
    #failed(error) {
        const delay = delayMs(++this.#failures, undefined, Math.random);
        this.#options.events.emit("retrying", { attempt: this.#failures, delayMs: delay, code: "OUTBOX_FAILED", items: 0, error });
        return delay;
    }
    /** Lets those go on who wait for items before this key. */
    #settle(key) {
        for (const waiter of this.#waiting) {
            if (waiter.key >= key)
                continue;
            this.#waiting.delete(waiter);
            waiter.done();
        }
    }
    async #deliver(entries) {
        const answer = await this.#untilAnswered(bodyOf(entries), entries.length);
        if (answer === null)
            return;
        if (Array.isArray(answer))
            return this.#answered(entries, answer);
        if (answer.kind === "refused") {
            const code = STOPPING[answer.status] ?? "SERVICE_REFUSED";
            return this.#stop(new UsageError(code, `${answer.message} (${answer.status} ${answer.code})`));
        }
        if (entries.length === 1) {
            return this.#answered(entries, [{ status: "refused", code: answer.code, message: answer.message }]);
        }
        // One item that can't be read must not hold up the others: halve until it stands alone.
        const middle = Math.ceil(entries.length / 2);
        await this.#deliver(entries.slice(0, middle));
        if (this.#stopped === null && !this.#ended.signal.aborted)
            await this.#deliver(entries.slice(middle));
    }
    /** Results; or why there are none; or null when the sender ended or stopped meanwhile. */
    async #untilAnswered(body, items) {
        const { post, events, retryForMs } = this.#options;
        const { signal } = this.#ended;
        const began = Date.now();
        for (let attempt = 1;; attempt++) {
            const answer = await post(body, signal);
            if (signal.aborted)
                return null;
            let again = answer.kind === "again" ? answer : null;
            if (answer.kind === "answered") {
                const results = resultsOf(answer.body, items);
                if (results !== null)
                    return results;
                again = { kind: "again", code: "ANSWER_FORM", retryAfterMs: undefined };
            }
            if (again === null)
                return answer;
            const delay = delayMs(attempt, again.retryAfterMs, Math.random);
            if (Date.now() + delay - began > retryForMs) {
                this.#stop(new UsageError("BUDGET_SPENT", `No good answer in ${retryForMs} ms, the last was ${again.code}; ${items} items or more wait.`));
                return null;
            }
            events.emit("retrying", { attempt, delayMs: delay, code: again.code, items });
            await sleep(delay, signal);
            if (signal.aborted)
                return null;
        }
    }
    async #answered(entries, results) {
        const { outbox, events } = this.#options;
        const settled = [];
        const unheld = [];
        for (const [index, entry] of entries.entries()) {
            const result = results[index];
            if (result.status === "refused" && result.code === "HOLD_NOT_OPEN") {
                // The hold ran out before the item came. What was used is owed all the same, so it goes again without it.
                const text = withoutHold(entry.text);
                if (text !== null) {
                    unheld.push({ key: entry.key, text });
                    continue;
                }
            }
            const item = JSON.parse(entry.text);
            const { id, subject } = item;
            if (result.status === "refused")
                events.emit("refused", { id, subject, code: result.code, message: result.message, item });
            else
                events.emit(result.status, { id, subject, charges: result.charges });
            settled.push(entry);
        }
        if (settled.length > 0)
            await outbox.remove(settled);
        if (unheld.length > 0)
            await this.#deliver(unheld);
    }
    #stop(error) {
        this.#stopped = error;
        this.#options.events.emit("stopped", { error });
    }
}
