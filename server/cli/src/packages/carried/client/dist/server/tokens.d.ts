export interface PortalToken {
    readonly token: string;
    /** When the token ends, in milliseconds since 1970; null where the service does not say. */
    readonly expiresAt: number | null;
    /** Until when it may be kept. */
    readonly keptUntil: number;
}
/** Why there is no token: the service's answer to hand on. */
export interface NoToken {
    readonly status: number;
    readonly code: string;
    readonly retryAfter: string | null;
}
export interface MintOptions {
    readonly url: string;
    readonly business: string;
    /** The operator's token. */
    readonly token: () => string | Promise<string>;
    readonly fetch: typeof globalThis.fetch;
    readonly timeoutMs: number;
}
export declare class Tokens {
    #private;
    constructor(options: MintOptions);
    /** A token of the subject; one mint serves all who ask at the same moment. */
    of(subject: string): Promise<PortalToken | NoToken>;
    forget(subject: string): void;
}
