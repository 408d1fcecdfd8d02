// `createUsage`: what a backend holds on to.
import { UsageError } from "./errors.js";
import { Events } from "./events.js";
import { withHold } from "./holds.js";
import { fixItem } from "./item.js";
import { BATCH_ITEMS_MAX, FLUSH_TIMEOUT_MS, REQUEST_TIMEOUT_MS, SEND_AFTER_MS, SEND_AT_ITEMS } from "./limits.js";
import { memoryOutbox } from "./outbox/memory.js";
import { Sender } from "./sender.js";
import { post } from "./transport.js";
/**
 * Makes a reporter of usage.
 *
 * ```ts
 * const usage = createUsage({ url: "https://svc.example.com", token: process.env.SVC_TOKEN!, business: "biz_1" });
 * usage.on("refused", ({ id, code }) => log.error({ id, code }));
 * await usage.report({ requestId, subject: "user_42", route: "POST /v1/jobs", status: 201, reports: { compute_ms: 125 } });
 * await usage.close();
 * ```
 */
export function createUsage(options) {
    const { outbox = memoryOutbox(), sendAtItems = SEND_AT_ITEMS, sendAfterMs = SEND_AFTER_MS, retryForMs = Infinity } = options;
    if (!Number.isInteger(sendAtItems) || sendAtItems < 1 || sendAtItems > BATCH_ITEMS_MAX) {
        throw new UsageError("OPTION_FORM", `\`sendAtItems\` is 1 to ${BATCH_ITEMS_MAX}.`);
    }
    const service = serviceOf(options);
    const events = new Events();
    const sender = new Sender({
        outbox,
        events,
        sendAtItems,
        sendAfterMs,
        retryForMs,
        post: (body, signal) => post(service, "/usage", body, signal),
    });
    let closing = null;
    async function report(...items) {
        if (closing !== null)
            throw new UsageError("CLOSED", "This reporter is closed.");
        await outbox.add(items.map((item) => fixItem(item)));
        sender.added(items.length);
    }
    async function close(timeoutMs) {
        const flushed = await sender.flush(timeoutMs);
        await sender.end();
        await outbox.close();
        return flushed;
    }
    return {
        report,
        flush: ({ timeoutMs = FLUSH_TIMEOUT_MS } = {}) => sender.flush(timeoutMs),
        close: ({ timeoutMs = FLUSH_TIMEOUT_MS } = {}) => (closing ??= close(timeoutMs)),
        on: (event, listener) => events.on(event, listener),
        get stopped() {
            return sender.stopped;
        },
        resume: () => sender.resume(),
        withHold: (request, work) => withHold(service, (item) => report(item), request, work),
    };
}
function serviceOf(options) {
    const { token, business, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
    const url = new URL(options.url);
    if (url.protocol !== "https:" && url.protocol !== "http:")
        throw new UsageError("OPTION_FORM", "`url` is an http or https URL.");
    if (typeof business !== "string" || business === "")
        throw new UsageError("OPTION_FORM", "`business` is the id of a business.");
    if (typeof token !== "function" && (typeof token !== "string" || token === "")) {
        throw new UsageError("OPTION_FORM", "`token` is a deploy token, or a function that gives one.");
    }
    return {
        base: `${url.href.replace(/\/+$/, "")}/v1/businesses/${encodeURIComponent(business)}`,
        token: typeof token === "function" ? token : () => token,
        fetch: options.fetch ?? globalThis.fetch,
        requestTimeoutMs,
    };
}
