// Money set aside before a request is served, and settled after it.
import { delayMs, sleep } from "./backoff.js";
import { HoldRefused, UsageError } from "./errors.js";
import { HOLD_TIMEOUT_MS } from "./limits.js";
import { post } from "./transport.js";
export async function withHold(service, report, request, work) {
    const { id, subject, route, meter, units, expiresInSeconds, timeoutMs = HOLD_TIMEOUT_MS } = request;
    const what = route === undefined ? { meter, units } : { route };
    const body = JSON.stringify({ subject, id, ...what, expiresInSeconds });
    const { heldNanos, expiresAt, state } = await setHold(service, body, timeoutMs);
    let open = state === "open";
    const hold = {
        id,
        heldNanos,
        expiresAt,
        async settle(outcome) {
            // A retried request finds the hold that its first run has settled: the report is then the very same item, a duplicate.
            if (!open && state === "open")
                throw new UsageError("HOLD_ENDED", `The hold ${id} is settled or released already.`);
            open = false;
            const { status, reports, units } = outcome;
            const what = route === undefined ? { meter, units } : { route, status, reports };
            try {
                await report({ id, subject, hold: id, ...what });
            }
            catch (error) {
                open = state === "open"; // nothing was taken: the money is still to be let go
                throw error;
            }
        },
    };
    try {
        return await work(hold);
    }
    finally {
        // Not awaited by the caller's answer: a hold that can't be released now lets go by itself.
        if (open)
            void post(service, `/holds/${encodeURIComponent(id)}/release`, JSON.stringify({ subject }), AbortSignal.timeout(timeoutMs));
    }
}
async function setHold(service, body, timeoutMs) {
    const limit = AbortSignal.timeout(timeoutMs);
    let answer;
    // The id makes it safe to ask again: the same hold answers.
    for (let attempt = 1;; attempt++) {
        answer = await post(service, "/holds", body, limit);
        if (answer.kind !== "again" || limit.aborted)
            break;
        await sleep(delayMs(attempt, answer.retryAfterMs, Math.random), limit);
        if (limit.aborted)
            break;
    }
    if (answer.kind === "again")
        throw new UsageError("HOLD_UNAVAILABLE", `No hold within ${timeoutMs} ms: ${answer.code}.`);
    if (answer.kind !== "answered")
        throw new HoldRefused(answer.code, answer.message, answer.status);
    const { heldNanos, expiresAt, state } = answer.body;
    return { heldNanos, expiresAt, state };
}
