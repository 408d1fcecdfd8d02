// One call of the service, and what its answer means for the sender. Knows HTTP; must not know items or outboxes.
import { retryAfterMs } from "./backoff.js";
import { ANSWER_BYTES_MAX } from "./limits.js";
import { PACKAGE, PACKAGE_HEADER } from "./version.js";
const CONTENT = new Set([400, 409, 413, 422]);
export async function post(service, path, body, signal) {
    const timeout = AbortSignal.timeout(service.requestTimeoutMs);
    let token;
    try {
        token = await service.token();
    }
    catch {
        return { kind: "again", code: "TOKEN", retryAfterMs: undefined };
    }
    let response;
    let text;
    try {
        response = await service.fetch(service.base + path, {
            method: "POST",
            headers: {
                authorization: `Bearer ${token}`,
                "content-type": "application/json",
                [PACKAGE_HEADER]: PACKAGE,
            },
            body,
            redirect: "manual", // a redirect followed would send the token to somewhere else
            signal: AbortSignal.any([signal, timeout]),
        });
        text = await textOf(response);
    }
    catch {
        return { kind: "again", code: timeout.aborted ? "TIMEOUT" : "NETWORK", retryAfterMs: undefined };
    }
    const json = parsed(text);
    const { status } = response;
    if (status >= 200 && status < 300) {
        return json === undefined ? { kind: "again", code: "ANSWER_FORM", retryAfterMs: undefined } : { kind: "answered", body: json };
    }
    const { code = `HTTP_${status}`, detail = `The service answered ${status}.` } = problem(json);
    if (status === 408 || status === 429 || status >= 500) {
        return { kind: "again", code, retryAfterMs: retryAfterMs(response.headers.get("retry-after"), Date.now()) };
    }
    return { kind: CONTENT.has(status) ? "content" : "refused", status, code, message: detail };
}
/** The body as text; throws past the bound, since what endless stream answers is not the service. */
async function textOf(response) {
    if (response.body === null)
        return "";
    const decoder = new TextDecoder();
    let text = "";
    let bytes = 0;
    const reader = response.body.getReader();
    for (;;) {
        const { done, value } = await reader.read();
        if (done)
            return text + decoder.decode();
        bytes += value.length;
        if (bytes > ANSWER_BYTES_MAX) {
            await reader.cancel();
            throw new Error("the answer is too long");
        }
        text += decoder.decode(value, { stream: true });
    }
}
function parsed(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
function problem(json) {
    const { code, detail } = (json ?? {});
    return {
        ...(typeof code === "string" ? { code } : {}),
        ...(typeof detail === "string" ? { detail } : {}),
    };
}
