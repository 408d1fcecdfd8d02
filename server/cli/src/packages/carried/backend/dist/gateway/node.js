// `withUsage` for Node's own requests and answers, so for Express, Fastify and all that stand on them: in the header where
// it is known in time, else in a trailer.
import { createHmac } from "node:crypto";
import { canonical, checkSecret, compose, payloadOf, REQUEST_ID_HEADER, USAGE_HEADER } from "./format.js";
import { Collected } from "./report.js";
export { REQUEST_ID_HEADER, USAGE_HEADER } from "./format.js";
/**
 * Puts what a handler reports into its answer, signed, for the gateway in front of it. An answer that is sent in one piece
 * has it in the header `svc-usage`; one that is streamed, in a trailer of that name, so that what is only known at the end
 * can be reported until `response.end()`.
 *
 * ```ts
 * app.post("/v1/jobs", withUsage({ secret }, async (request, response, usage) => {
 *   const job = await run(request.body);
 *   usage.report("compute_ms", job.ms);
 *   response.status(201).json(job);
 * }));
 * ```
 */
export function withUsage(options, handler) {
    const secret = checkSecret(options.secret);
    return (request, response) => handler(request, response, attach(secret, request, response));
}
/**
 * The same for frameworks with hooks of their own, such as Fastify: call it before the answer begins.
 *
 * ```ts
 * fastify.post("/v1/jobs", async (request, reply) => {
 *   const usage = usageOf({ secret }, request.raw, reply.raw);
 *   usage.report("compute_ms", 125);
 *   return reply.code(201).send(job);
 * });
 * ```
 */
export function usageOf(options, request, response) {
    return attach(checkSecret(options.secret), request, response);
}
function attach(secret, request, response) {
    const id = request.headers[REQUEST_ID_HEADER];
    const usage = new Collected(typeof id === "string" ? id : null);
    if (usage.requestId === null)
        return usage;
    const requestId = usage.requestId;
    let trailing = false;
    let ending = false;
    const valueOf = (reports) => (reports === null ? null : sign(reports, secret, requestId));
    // Every way to begin an answer goes through `writeHead`; only within `end` is nothing more to come.
    const writeHead = response.writeHead;
    response.writeHead = function (...head) {
        const streams = !ending && this.req.httpVersionMajor === 1 && this.req.httpVersionMinor > 0 && bodyIsChunked(this, head);
        if (streams) {
            trailing = true;
            setHeader(this, head, "trailer", USAGE_HEADER);
        }
        else {
            const value = valueOf(usage.take());
            if (value !== null)
                setHeader(this, head, USAGE_HEADER, value);
        }
        return Reflect.apply(writeHead, this, head);
    };
    const end = response.end;
    response.end = function (...rest) {
        ending = true;
        if (trailing) {
            trailing = false;
            const value = valueOf(usage.take());
            if (value !== null)
                this.addTrailers({ [USAGE_HEADER]: value });
        }
        return Reflect.apply(end, this, rest);
    };
    return usage;
}
/** Whether an answer that begins now may have trailers: HTTP/1.1 has them only after a body of unknown length. */
function bodyIsChunked(response, head) {
    const [status] = head;
    if (response.req.method === "HEAD" || status === 204 || status === 304)
        return false;
    const given = head.find((part) => typeof part === "object" && part !== null);
    const names = Array.isArray(given) ? given.filter((_, index) => index % 2 === 0) : Object.keys(given ?? {});
    return !response.hasHeader("content-length") && !names.some((name) => String(name).toLowerCase() === "content-length");
}
/** Sets a header also where the handler gave its headers as a flat list, which Node then takes as they are. */
function setHeader(response, head, name, value) {
    const list = head.find((part) => Array.isArray(part));
    if (list === undefined)
        response.setHeader(name, value);
    else
        list.push(name, value);
}
function sign(reports, secret, requestId) {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const payload = payloadOf(reports);
    const signature = createHmac("sha256", secret).update(canonical(requestId, timestamp, payload)).digest("hex");
    return compose({ timestamp, payload, signature });
}
