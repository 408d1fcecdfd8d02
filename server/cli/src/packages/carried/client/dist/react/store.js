// The bill of one client, for everyone who shows it: fetched once, refreshed when someone asks for it. Knows no React.
import { SvcError } from "../error.js";
import { DEDUPE_MS, FOCUS_THROTTLE_MS, REFETCH_INTERVAL_MIN_MS, TIMER_MAX_MS } from "../limits.js";
export const EMPTY = { data: null, error: null, isFetching: false, dataUpdatedAt: 0 };
export class PreviewStore {
    #svc;
    #subscribers = new Set();
    #snapshot = EMPTY;
    #fetching = null;
    #startedAt = -Infinity;
    #failedAt = -Infinity;
    /** Before this moment nothing is sent: the service has asked for it. */
    #notBefore = -Infinity;
    /** The subscriber is not signed in any more: nobody but the page can change that. */
    #halted = false;
    #timer = null;
    /** Those who wait for the next answer. */
    #waiting = [];
    constructor(svc) {
        this.#svc = svc;
    }
    snapshot = () => this.#snapshot;
    /** Takes a bill that was fetched elsewhere, where there is none yet. */
    seed(data, dataUpdatedAt) {
        if (this.#snapshot === EMPTY && this.#fetching === null)
            this.#snapshot = { ...EMPTY, data, dataUpdatedAt };
    }
    /** Fetches where needed and tells of changes, until the returned function is called. */
    subscribe(wishes, changed) {
        const subscriber = { ...wishes, changed };
        if (this.#subscribers.size === 0)
            this.#listen(true);
        this.#subscribers.add(subscriber);
        this.#halted = false;
        if (this.#isFresh())
            this.#schedule();
        else
            void this.#fetchUnlessTold();
        return () => {
            this.#subscribers.delete(subscriber);
            if (this.#subscribers.size > 0)
                return this.#schedule();
            this.#listen(false);
            this.#clearTimer();
        };
    }
    /** Fetches now, or as soon as the service allows; one answer serves all who ask meanwhile. */
    refetch = async () => {
        this.#halted = false;
        if (Date.now() >= this.#notBefore || this.#fetching !== null)
            await this.#fetch();
        else {
            await new Promise((done) => {
                this.#waiting.push(done);
                this.#schedule();
            });
        }
        return this.#snapshot;
    };
    /** What to wait for while there is nothing to show; null where the last failure is to be shown. */
    load() {
        if (this.#fetching !== null)
            return this.#fetching;
        if (this.#snapshot.error !== null && Date.now() - this.#failedAt < DEDUPE_MS)
            return null;
        return this.#fetch();
    }
    #isFresh() {
        return this.#snapshot.data !== null && Date.now() - this.#snapshot.dataUpdatedAt < DEDUPE_MS;
    }
    #fetchUnlessTold() {
        if (Date.now() < this.#notBefore)
            return this.#schedule();
        return this.#fetch();
    }
    #fetch() {
        this.#clearTimer();
        return (this.#fetching ??= this.#run());
    }
    async #run() {
        this.#startedAt = Date.now();
        this.#set({ isFetching: true });
        try {
            const data = await this.#svc.billing.getBillPreview();
            this.#notBefore = -Infinity;
            this.#fetching = null;
            this.#set({ data: same(this.#snapshot.data, data), error: null, isFetching: false, dataUpdatedAt: Date.now() });
        }
        catch (cause) {
            this.#fetching = null;
            this.#failed(cause instanceof SvcError ? cause : new SvcError("NETWORK", "The bill can't be fetched.", { cause }));
        }
        this.#schedule();
        for (const done of this.#waiting.splice(0))
            done();
    }
    #failed(error) {
        this.#failedAt = Date.now();
        this.#notBefore = error.retryAfterMs === null ? -Infinity : Date.now() + error.retryAfterMs;
        // Who may not see the bill any more is not shown the last one; in all other cases it is better than none.
        this.#halted = error.status === 401 || error.status === 403;
        const dropped = this.#halted ? { data: null, dataUpdatedAt: 0 } : {};
        this.#set({ error, isFetching: false, ...dropped });
    }
    #set(change) {
        this.#snapshot = { ...this.#snapshot, ...change };
        for (const { changed } of [...this.#subscribers])
            changed();
    }
    /** When the next fetch is due by itself; null for never. */
    #due() {
        if (this.#waiting.length > 0)
            return this.#notBefore;
        if (this.#halted || this.#subscribers.size === 0)
            return null;
        if (this.#notBefore > -Infinity)
            return this.#notBefore;
        const intervals = [...this.#subscribers].flatMap(({ refetchInterval }) => refetchInterval ?? []);
        if (intervals.length === 0)
            return null;
        return this.#startedAt + Math.max(REFETCH_INTERVAL_MIN_MS, Math.min(...intervals));
    }
    #schedule() {
        this.#clearTimer();
        const due = this.#due();
        // Nobody looks at a hidden page: it catches up when it is shown again. Only who has asked by hand is served.
        if (due === null || this.#fetching !== null || (hidden() && this.#waiting.length === 0))
            return;
        const delay = Math.min(TIMER_MAX_MS, Math.max(0, due - Date.now()));
        this.#timer = setTimeout(() => void this.#fetch(), delay);
    }
    #clearTimer() {
        if (this.#timer !== null)
            clearTimeout(this.#timer);
        this.#timer = null;
    }
    #listen(on) {
        if (typeof document === "undefined")
            return;
        const change = on ? "addEventListener" : "removeEventListener";
        document[change]("visibilitychange", this.#shown);
        globalThis[change]("focus", this.#shown);
    }
    #shown = () => {
        if (hidden())
            return this.#clearTimerUnlessAsked();
        const wanted = [...this.#subscribers].some(({ refetchOnFocus }) => refetchOnFocus);
        const rested = Date.now() - this.#startedAt >= FOCUS_THROTTLE_MS && Date.now() >= this.#notBefore;
        if (wanted && rested && !this.#halted)
            void this.#fetch();
        else
            this.#schedule();
    };
    #clearTimerUnlessAsked() {
        if (this.#waiting.length === 0)
            this.#clearTimer();
    }
}
function hidden() {
    return typeof document !== "undefined" && document.visibilityState === "hidden";
}
/** The old bill where the new one says the same, so that nothing is drawn anew. */
function same(old, fresh) {
    return old !== null && JSON.stringify(old) === JSON.stringify(fresh) ? old : fresh;
}
/** One store a client. A client stands for one subscriber, so nothing is shared between two of them. */
const stores = new WeakMap();
export function storeOf(svc) {
    const known = stores.get(svc);
    if (known !== undefined)
        return known;
    const made = new PreviewStore(svc);
    stores.set(svc, made);
    return made;
}
