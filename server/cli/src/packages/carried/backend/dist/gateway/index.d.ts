import type { UsageKeys } from "../options.ts";
import { type Reports } from "./format.ts";
import { type RequestUsage } from "./report.ts";
export { REQUEST_ID_HEADER, USAGE_HEADER, type Reports } from "./format.ts";
export type { RequestUsage } from "./report.ts";
export interface WithUsageOptions {
    /**
     * The secret that this backend shares with the gateway: 32 characters or more.
     *
     * ```ts
     * withUsage({ secret: process.env.SVC_USAGE_SECRET! }, handler)
     * ```
     */
    secret: string;
}
/**
 * Puts what a handler reports into its answer, signed, for the gateway in front of it: no call of the service is made. The
 * header goes out with the answer, so report before returning it; a body that streams longer is for
 * `@svc/backend/gateway/node`, which knows trailers. Without a gateway's request id nothing is put in.
 *
 * ```ts
 * export default {
 *   fetch: withUsage({ secret }, async (request, usage) => {
 *     const job = await run(request);
 *     usage.report("compute_ms", job.ms);
 *     return Response.json(job, { status: 201 });
 *   }),
 * };
 * ```
 */
export declare function withUsage<K extends UsageKeys = UsageKeys, Rest extends unknown[] = []>(options: WithUsageOptions, handler: (request: Request, usage: RequestUsage<K>, ...rest: Rest) => Response | Promise<Response>): (request: Request, ...rest: Rest) => Promise<Response>;
export interface SignOptions {
    /** Shared by backend and gateway: 32 characters or more. Example: `secret: process.env.SVC_USAGE_SECRET!`. */
    secret: string;
    /** The gateway's id of the request. Example: `requestId: request.headers.get("svc-request-id")!`. */
    requestId: string;
    /** Now, in milliseconds since 1970. Default: the clock. Example: `now: Date.now()`. */
    now?: number;
}
/** The value of `svc-usage` for these reports. */
export declare function signUsage(reports: Reports, { secret, requestId, now }: SignOptions): Promise<string>;
export type Verified = {
    readonly ok: true;
    readonly reports: Reports;
}
/** `USAGE_FORM`: not of the form. `USAGE_SIGNATURE`: another secret, request or content. `USAGE_EXPIRED`: too old, or from the future. */
 | {
    readonly ok: false;
    readonly code: "USAGE_FORM" | "USAGE_SIGNATURE" | "USAGE_EXPIRED";
};
/**
 * Checks a value of `svc-usage` as the gateway does: form, then signature, then moment, then content.
 *
 * ```ts
 * const verified = await verifyUsage(response.headers.get("svc-usage") ?? "", { secret, requestId });
 * ```
 */
export declare function verifyUsage(value: string, { secret, requestId, now }: SignOptions): Promise<Verified>;
