import type { UsageEvents } from "./options.ts";
export type Listener<E extends keyof UsageEvents> = (event: UsageEvents[E]) => void;
export declare class Events {
    #private;
    /** Adds a listener; what it returns takes it away again. */
    on<E extends keyof UsageEvents>(name: E, listener: Listener<E>): () => void;
    emit<E extends keyof UsageEvents>(name: E, event: UsageEvents[E]): void;
}
