import type { IncomingMessage, ServerResponse } from "node:http";
import type { UsageKeys } from "../options.ts";
import type { WithUsageOptions } from "./index.ts";
import { type RequestUsage } from "./report.ts";
export { REQUEST_ID_HEADER, USAGE_HEADER, type Reports } from "./format.ts";
export type { WithUsageOptions } from "./index.ts";
export type { RequestUsage } from "./report.ts";
type NodeHandler<K extends UsageKeys, Q extends IncomingMessage, S extends ServerResponse> = (request: Q, response: S, usage: RequestUsage<K>) => unknown;
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
export declare function withUsage<K extends UsageKeys = UsageKeys, Q extends IncomingMessage = IncomingMessage, S extends ServerResponse = ServerResponse>(options: WithUsageOptions, handler: NodeHandler<K, Q, S>): (request: Q, response: S) => unknown;
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
export declare function usageOf<K extends UsageKeys = UsageKeys>(options: WithUsageOptions, request: IncomingMessage, response: ServerResponse): RequestUsage<K>;
