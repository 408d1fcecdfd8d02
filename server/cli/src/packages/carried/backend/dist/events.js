// Who listens to what becomes of the items.
/** Events that are never silent: without a listener they go to the console. */
const LOUD = {
    refused: ({ id, subject, code, message }) => `usage item ${id} of ${subject} was refused: ${code}: ${message}`,
    // A network comes and goes; a database that can't be read is somebody's to look at.
    retrying: ({ code, error }) => (code === "OUTBOX_FAILED" ? `the outbox failed and is asked again: ${String(error)}` : undefined),
    stopped: ({ error }) => `sending usage has stopped: ${error.code}: ${error.message}`,
};
export class Events {
    #listeners = new Map();
    /** Adds a listener; what it returns takes it away again. */
    on(name, listener) {
        const listeners = this.#listeners.get(name) ?? new Set();
        this.#listeners.set(name, listeners);
        listeners.add(listener);
        return () => void listeners.delete(listener);
    }
    emit(name, event) {
        const listeners = [...(this.#listeners.get(name) ?? [])];
        if (listeners.length === 0) {
            const line = LOUD[name]?.(event);
            if (line !== undefined)
                console.error(`@svc/backend: ${line}`);
        }
        for (const listener of listeners) {
            try {
                listener(event);
            }
            catch (error) {
                // A listener's failure is the listener's; the items must go on.
                console.error(`@svc/backend: a listener of "${name}" threw`, error);
            }
        }
    }
}
