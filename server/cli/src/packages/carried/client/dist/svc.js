// `createSvc`: the client of one business.
import { SvcError } from "./error.js";
import { REQUEST_TIMEOUT_MS, RETRY_AFTER_MAX_MS } from "./limits.js";
import { readBillPreview } from "./preview.js";
/**
 * Makes a client. On a server, make one for each request: it stands for one subscriber.
 *
 * ```ts
 * const svc = createSvc({ baseUrl: "/api/svc", business: "biz_1" });
 * ```
 */
export function createSvc(options) {
    const { baseUrl, business, getToken } = options;
    if (typeof business !== "string" || business === "")
        throw new SvcError("OPTION_FORM", "`business` is the id of a business.");
    const url = `${String(baseUrl).replace(/\/+$/, "")}/portal/businesses/${encodeURIComponent(business)}/me/bill-preview`;
    async function getBillPreview({ signal } = {}) {
        const token = getToken && (await tokenOf(getToken, false));
        try {
            return await fetchPreview(options, url, token, signal);
        }
        catch (error) {
            if (getToken === undefined || !(error instanceof SvcError) || error.status !== 401)
                throw error;
            const fresh = await tokenOf(getToken, true);
            if (fresh === token)
                throw error;
            return fetchPreview(options, url, fresh, signal);
        }
    }
    return { billing: { getBillPreview } };
}
/** The service's tokens say what they are; any but a portal token opens more than one subscriber's bill. */
const SECRET_TOKEN = /^svc_(?!portal_)/;
async function tokenOf(getToken, refused) {
    let token;
    try {
        token = await getToken({ refused });
    }
    catch (cause) {
        throw cause instanceof SvcError ? cause : new SvcError("TOKEN", "The portal token can't be had.", { cause });
    }
    if (SECRET_TOKEN.test(token))
        throw new SvcError("TOKEN_KIND", "This is no portal token, and must never reach a page.");
    return token;
}
async function fetchPreview(options, url, token, signal) {
    const { timeoutMs = REQUEST_TIMEOUT_MS, fetch = globalThis.fetch } = options;
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeoutMs);
    const abort = () => timeout.abort();
    if (signal?.aborted)
        abort();
    signal?.addEventListener("abort", abort);
    let response;
    let body;
    try {
        const headers = { accept: "application/json" };
        if (token !== undefined)
            headers["authorization"] = `Bearer ${token}`;
        response = await fetch(url, { headers, cache: "no-store", signal: timeout.signal });
        body = await response.text();
    }
    catch (cause) {
        if (signal?.aborted)
            throw new SvcError("ABORTED", "The request was ended.", { cause });
        if (timeout.signal.aborted)
            throw new SvcError("TIMEOUT", `No answer within ${timeoutMs} ms.`, { cause });
        throw new SvcError("NETWORK", "The service can't be reached.", { cause });
    }
    finally {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
    }
    const requestId = response.headers.get("x-request-id");
    const json = parsed(body);
    if (!response.ok)
        throw problemOf(response, json, requestId);
    const preview = readBillPreview(json);
    if (preview === null)
        throw new SvcError("ANSWER_FORM", "What was answered is no bill.", { status: response.status, requestId });
    return preview;
}
function problemOf(response, json, requestId) {
    const { code, detail } = (json ?? {});
    return new SvcError(typeof code === "string" ? code : `HTTP_${response.status}`, typeof detail === "string" ? detail : `The service answered ${response.status}.`, { status: response.status, requestId, retryAfterMs: retryAfterMs(response.headers.get("retry-after"), Date.now()) });
}
/** `Retry-After` in milliseconds, from seconds or a date; null where there is none that can be read. */
export function retryAfterMs(header, now) {
    if (header === null)
        return null;
    const wait = /^\s*\d{1,9}\s*$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
    return Number.isNaN(wait) ? null : Math.min(RETRY_AFTER_MAX_MS, Math.max(0, wait));
}
function parsed(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
