export interface PortalOptions<Request> {
    /**
     * Says who is signed in: the subject of the subscription, or null for nobody. Take it from your session, never from what
     * the page sends along.
     *
     * ```ts
     * portalHandler({ url, business, token, identify: async (request) => (await sessionOf(request))?.userId ?? null })
     * ```
     */
    identify: (request: Request) => string | null | Promise<string | null>;
    /**
     * Where the service is.
     *
     * ```ts
     * portalHandler({ url: "https://svc.example.com", business, token, identify })
     * ```
     */
    url: string | URL;
    /**
     * Id of the business.
     *
     * ```ts
     * portalHandler({ url, business: "biz_1", token, identify })
     * ```
     */
    business: string;
    /**
     * The operator's token, or a function that gives it. It stays on this server.
     *
     * ```ts
     * portalHandler({ url, business, token: () => process.env.SVC_OPERATOR_TOKEN!, identify })
     * ```
     */
    token: string | (() => string | Promise<string>);
    /**
     * Longest wait for the service, in milliseconds. Default 15,000.
     *
     * ```ts
     * portalHandler({ url, business, token, identify, timeoutMs: 5_000 })
     * ```
     */
    timeoutMs?: number;
    /**
     * Used in place of the global `fetch`.
     *
     * ```ts
     * portalHandler({ url, business, token, identify, fetch: traced(fetch) })
     * ```
     */
    fetch?: typeof globalThis.fetch;
}
/** A request as the portal sees it. */
export interface Asked {
    readonly method: string;
    readonly pathname: string;
    /** The header `sec-fetch-site`, which pages can't forge; null where the client is no browser of these years. */
    readonly site: string | null;
    readonly identify: () => string | null | Promise<string | null>;
}
export declare class Portal {
    #private;
    constructor(options: PortalOptions<never>);
    answer({ method, pathname, site, identify }: Asked): Promise<Response>;
}
