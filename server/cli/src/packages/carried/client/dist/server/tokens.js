// Portal tokens, minted when they are needed and kept no longer than they live.
import { TOKEN_LIFE_SECONDS, TOKEN_MARGIN_MS, TOKENS_MAX } from "../limits.js";
import { VERSION } from "../version.js";
export class Tokens {
    #options;
    #kept = new Map();
    /** Whether the service takes a token's life; one of before does not know it. */
    #livesAreKnown = true;
    constructor(options) {
        this.#options = options;
    }
    /** A token of the subject; one mint serves all who ask at the same moment. */
    async of(subject) {
        const kept = this.#kept.get(subject);
        if (kept !== undefined) {
            const token = await kept;
            if ("token" in token && Date.now() < token.keptUntil)
                return token;
            if (this.#kept.get(subject) !== kept)
                return this.of(subject);
        }
        const fresh = this.#mint(subject);
        this.#kept.delete(subject);
        this.#kept.set(subject, fresh);
        const oldest = this.#kept.keys().next().value;
        if (this.#kept.size > TOKENS_MAX && oldest !== undefined)
            this.#kept.delete(oldest);
        const token = await fresh;
        // A failure is not kept, nor is a token that is about to end.
        if (!("token" in token) || token.keptUntil <= Date.now())
            this.forget(subject);
        return token;
    }
    forget(subject) {
        this.#kept.delete(subject);
    }
    async #mint(subject) {
        const minted = Date.now();
        let answer = await this.#post(this.#livesAreKnown ? { kind: "portal", subject, expiresInSeconds: TOKEN_LIFE_SECONDS } : { kind: "portal", subject });
        if (this.#livesAreKnown && answer.status === 400 && answer.code === "BODY_FORM") {
            this.#livesAreKnown = false;
            answer = await this.#post({ kind: "portal", subject });
        }
        const { token, expiresAt } = (answer.json ?? {});
        if (answer.status !== 201 || typeof token !== "string") {
            return { status: answer.status === 201 ? 502 : answer.status, code: answer.code, retryAfter: answer.retryAfter };
        }
        const end = typeof expiresAt === "string" ? Date.parse(expiresAt) : NaN;
        const kept = minted + TOKEN_LIFE_SECONDS * 1_000;
        return Number.isNaN(end)
            ? { token, expiresAt: null, keptUntil: kept - TOKEN_MARGIN_MS }
            : { token, expiresAt: end, keptUntil: Math.min(end, kept) - TOKEN_MARGIN_MS };
    }
    async #post(body) {
        const { url, business, token, fetch, timeoutMs } = this.#options;
        try {
            const response = await fetch(`${url}/v1/businesses/${encodeURIComponent(business)}/tokens`, {
                method: "POST",
                headers: {
                    authorization: `Bearer ${await token()}`,
                    "content-type": "application/json",
                    "svc-package": `@svc/client-js@${VERSION}`,
                },
                body: JSON.stringify(body),
                redirect: "manual",
                signal: AbortSignal.timeout(timeoutMs),
            });
            const json = (await response.json().catch(() => null));
            const code = typeof json?.code === "string" ? json.code : `HTTP_${response.status}`;
            return { status: response.status, code, retryAfter: response.headers.get("retry-after"), json };
        }
        catch {
            return { status: 503, code: "SERVICE_UNREACHABLE", retryAfter: null, json: null };
        }
    }
}
