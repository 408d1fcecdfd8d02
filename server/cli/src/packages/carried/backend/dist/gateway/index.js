// `withUsage` for fetch-style handlers (Hono, workers, Deno, Bun), and the check that a gateway makes. Web Crypto only.
import { canonical, checkSecret, compose, isFresh, parse, payloadOf, reportsIn, REQUEST_ID_HEADER, USAGE_HEADER } from "./format.js";
import { Collected } from "./report.js";
export { REQUEST_ID_HEADER, USAGE_HEADER } from "./format.js";
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
export function withUsage(options, handler) {
    const secret = checkSecret(options.secret);
    return async (request, ...rest) => {
        const usage = new Collected(request.headers.get(REQUEST_ID_HEADER));
        const response = await handler(request, usage, ...rest);
        const reports = usage.take();
        if (reports === null || usage.requestId === null)
            return response;
        const headers = new Headers(response.headers);
        headers.set(USAGE_HEADER, await signUsage(reports, { secret, requestId: usage.requestId }));
        return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
    };
}
/** The value of `svc-usage` for these reports. */
export async function signUsage(reports, { secret, requestId, now = Date.now() }) {
    const timestamp = String(Math.floor(now / 1_000));
    const payload = payloadOf(reports);
    const mac = new Uint8Array(await crypto.subtle.sign("HMAC", await keyOf(secret), encoder.encode(canonical(requestId, timestamp, payload))));
    const signature = Array.from(mac, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return compose({ timestamp, payload, signature });
}
/**
 * Checks a value of `svc-usage` as the gateway does: form, then signature, then moment, then content.
 *
 * ```ts
 * const verified = await verifyUsage(response.headers.get("svc-usage") ?? "", { secret, requestId });
 * ```
 */
export async function verifyUsage(value, { secret, requestId, now = Date.now() }) {
    const parts = parse(value);
    if (parts === null)
        return { ok: false, code: "USAGE_FORM" };
    const { timestamp, payload, signature } = parts;
    const mac = Uint8Array.from(signature.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    // `verify` compares in constant time.
    const signed = await crypto.subtle.verify("HMAC", await keyOf(secret), mac, encoder.encode(canonical(requestId, timestamp, payload)));
    if (!signed)
        return { ok: false, code: "USAGE_SIGNATURE" };
    if (!isFresh(timestamp, Math.floor(now / 1_000)))
        return { ok: false, code: "USAGE_EXPIRED" };
    const reports = reportsIn(payload);
    return reports === null ? { ok: false, code: "USAGE_FORM" } : { ok: true, reports };
}
const encoder = new TextEncoder();
function keyOf(secret) {
    return crypto.subtle.importKey("raw", encoder.encode(checkSecret(secret)), { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
}
