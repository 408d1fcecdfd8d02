import { UsageError } from "./errors.ts";
import type { Events } from "./events.ts";
import type { Flushed } from "./options.ts";
import type { Outbox } from "./outbox/outbox.ts";
import type { Answer } from "./transport.ts";
export interface SenderOptions {
    readonly outbox: Outbox;
    readonly post: (body: string, signal: AbortSignal) => Promise<Answer>;
    readonly events: Events;
    readonly sendAtItems: number;
    readonly sendAfterMs: number;
    readonly retryForMs: number;
}
export declare class Sender {
    #private;
    constructor(options: SenderOptions);
    get stopped(): UsageError | null;
    /** Says that items were added. */
    added(items: number): void;
    resume(): void;
    /** Sends at once; resolves when everything that is in the outbox now is settled, or when it can't be. */
    flush(timeoutMs: number): Promise<Flushed>;
    /** Ends whatever is under way. */
    end(): Promise<void>;
}
