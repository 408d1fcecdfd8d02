export interface Service {
    /** Address of the business's part of the API, without a slash at the end. */
    readonly base: string;
    readonly token: () => string | Promise<string>;
    readonly fetch: typeof globalThis.fetch;
    readonly requestTimeoutMs: number;
}
/** What came of one call. */
export type Answer = 
/** 2xx with JSON. */
{
    readonly kind: "answered";
    readonly body: unknown;
}
/** It may be sent again as it is: no answer, 408, 429, 5xx, or an answer that can't be the service's. */
 | {
    readonly kind: "again";
    readonly code: string;
    readonly retryAfterMs: number | undefined;
}
/** Something in the body can't be taken: 400, 409, 413, 422. */
 | {
    readonly kind: "content";
    readonly status: number;
    readonly code: string;
    readonly message: string;
}
/** The call itself is wrong, and will be the next time: 401, 403, 404, redirects, all else. */
 | {
    readonly kind: "refused";
    readonly status: number;
    readonly code: string;
    readonly message: string;
};
export declare function post(service: Service, path: string, body: string, signal: AbortSignal): Promise<Answer>;
