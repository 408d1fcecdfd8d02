import { type BillPreview } from "./preview.ts";
export interface SvcOptions {
    /**
     * Where the service is, or where your own server has mounted `portalHandler`; in a page also a path.
     *
     * ```ts
     * createSvc({ baseUrl: "/api/svc", business: "biz_1" })
     * ```
     */
    baseUrl: string | URL;
    /**
     * Id of the business.
     *
     * ```ts
     * createSvc({ baseUrl, business: "biz_1" })
     * ```
     */
    business: string;
    /**
     * Gives the subscriber's portal token. Called for every request; once more, with `refused: true`, when the service did not
     * know the last one. Left out where `baseUrl` is a `portalHandler`, which knows the subscriber by the page's cookie. Never
     * give a deploy or operator token here: a page shows everything it has.
     *
     * ```ts
     * createSvc({ baseUrl, business, getToken: ({ refused }) => session.portalToken({ fresh: refused }) })
     * ```
     */
    getToken?: (why: {
        refused: boolean;
    }) => string | Promise<string>;
    /**
     * Longest wait for an answer, in milliseconds. Default 15,000.
     *
     * ```ts
     * createSvc({ baseUrl, business, timeoutMs: 5_000 })
     * ```
     */
    timeoutMs?: number;
    /**
     * Used in place of the global `fetch`.
     *
     * ```ts
     * createSvc({ baseUrl, business, fetch: (input, init) => fetch(input, { ...init, credentials: "include" }) })
     * ```
     */
    fetch?: typeof globalThis.fetch;
}
export interface GetBillPreviewOptions {
    /**
     * Ends the request early, with code `ABORTED`.
     *
     * ```ts
     * await svc.billing.getBillPreview({ signal: AbortSignal.timeout(2_000) });
     * ```
     */
    signal?: AbortSignal;
}
export interface Svc {
    readonly billing: {
        /**
         * Fetches the bill preview. Rejects with `SvcError`.
         *
         * ```ts
         * const bill = await svc.billing.getBillPreview();
         * if (bill.disclosure === "transparent") show(formatNanos(bill.totals.receivableNanos));
         * ```
         */
        getBillPreview(options?: GetBillPreviewOptions): Promise<BillPreview>;
    };
}
/**
 * Makes a client. On a server, make one for each request: it stands for one subscriber.
 *
 * ```ts
 * const svc = createSvc({ baseUrl: "/api/svc", business: "biz_1" });
 * ```
 */
export declare function createSvc(options: SvcOptions): Svc;
/** `Retry-After` in milliseconds, from seconds or a date; null where there is none that can be read. */
export declare function retryAfterMs(header: string | null, now: number): number | null;
