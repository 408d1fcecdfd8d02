// What the mounted handler does with a request of a subscriber who is known by then. Knows no framework.
import { REQUEST_TIMEOUT_MS } from "../limits.js";
import { Tokens } from "./tokens.js";
export class Portal {
    #options;
    #tokens;
    /** The service's path of the bill preview. */
    #preview;
    #url;
    constructor(options) {
        const { business, token, fetch = globalThis.fetch, timeoutMs = REQUEST_TIMEOUT_MS } = options;
        if (typeof business !== "string" || business === "")
            throw new TypeError("`business` is the id of a business.");
        if (typeof options.identify !== "function")
            throw new TypeError("`identify` says who is signed in.");
        this.#options = { fetch, timeoutMs };
        this.#url = new URL(options.url).href.replace(/\/+$/, "");
        this.#preview = `/portal/businesses/${encodeURIComponent(business)}/me/bill-preview`;
        const mint = { url: this.#url, business, token: typeof token === "function" ? token : () => token, fetch, timeoutMs };
        this.#tokens = new Tokens(mint);
    }
    async answer({ method, pathname, site, identify }) {
        const preview = pathname.endsWith(this.#preview);
        if (!preview && !pathname.endsWith("/token"))
            return problem(404, "NOT_FOUND");
        const allowed = preview ? "GET" : "POST";
        if (method !== allowed)
            return problem(405, "METHOD_NOT_ALLOWED", { allow: allowed });
        if (site === "cross-site")
            return problem(403, "CROSS_SITE");
        const subject = await identify();
        if (typeof subject !== "string" || subject === "")
            return problem(401, "UNAUTHORIZED");
        return preview ? this.#bill(subject) : this.#token(subject);
    }
    async #bill(subject) {
        let kept = await this.#tokens.of(subject);
        for (let attempt = 1;; attempt++) {
            if (!("token" in kept))
                return refusal(kept);
            const response = await this.#get(kept.token);
            if (response === null)
                return problem(503, "SERVICE_UNREACHABLE");
            if (response.status !== 401)
                return handOn(response);
            // The token was revoked meanwhile: one more try. After that it is no matter of tokens, nor of who is signed in.
            this.#tokens.forget(subject);
            if (attempt === 2)
                return problem(502, "TOKEN_REFUSED");
            kept = await this.#tokens.of(subject);
        }
    }
    async #token(subject) {
        const kept = await this.#tokens.of(subject);
        if (!("token" in kept))
            return refusal(kept);
        const { token, expiresAt } = kept;
        return Response.json({ token, expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString() }, { status: 201, headers: PRIVATE });
    }
    async #get(token) {
        const { fetch, timeoutMs } = this.#options;
        try {
            return await fetch(this.#url + this.#preview, {
                headers: { authorization: `Bearer ${token}`, accept: "application/json" },
                redirect: "manual",
                signal: AbortSignal.timeout(timeoutMs),
            });
        }
        catch {
            return null;
        }
    }
}
const PRIVATE = { "cache-control": "private, no-store" };
/** The service's answer without what is between it and this server. */
function handOn(response) {
    const headers = new Headers(PRIVATE);
    for (const name of ["content-type", "retry-after", "x-request-id"]) {
        const value = response.headers.get(name);
        if (value !== null)
            headers.set(name, value);
    }
    return new Response(response.body, { status: response.status, headers });
}
/** The operator's token is this server's matter: that it is wrong is no 401 of the subscriber's. */
function refusal({ status, code, retryAfter }) {
    if (status === 429 || status === 503)
        return problem(503, code, retryAfter === null ? {} : { "retry-after": retryAfter });
    return problem(502, "TOKEN_REFUSED");
}
const DETAILS = {
    NOT_FOUND: "There is nothing here.",
    METHOD_NOT_ALLOWED: "The path has another method.",
    CROSS_SITE: "Another site may not ask this.",
    UNAUTHORIZED: "Nobody is signed in.",
    TOKEN_REFUSED: "The service gives this server no token for the subscriber.",
};
function problem(status, code, headers = {}) {
    const body = { type: "about:blank", title: code, status, code, detail: DETAILS[code] ?? "The service can't be reached now." };
    return new Response(JSON.stringify(body), { status, headers: { ...PRIVATE, "content-type": "application/problem+json", ...headers } });
}
