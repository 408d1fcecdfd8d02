import { type PortalOptions } from "./portal.ts";
export type { PortalOptions } from "./portal.ts";
/**
 * Serves the bill preview of whoever is signed in, for fetch-style servers: Hono, Next, Remix, Deno, Bun, workers. Mount it
 * at a path of its own and give that path to `createSvc` as `baseUrl`.
 *
 * - `GET <mount>/portal/businesses/{business}/me/bill-preview` answers as the service does; no token reaches the page.
 * - `POST <mount>/token` answers `{ token, expiresAt }` with a portal token, for pages that ask the service themselves.
 *
 * Tokens are minted with the operator's token, live for five minutes where the service knows lives, and are kept in memory
 * no longer than that.
 *
 * ```ts
 * const portal = portalHandler({ url, business, token, identify: async (request) => (await sessionOf(request))?.userId ?? null });
 *
 * app.all("/api/svc/*", (c) => portal(c.req.raw)); // Hono
 * export { portal as GET, portal as POST }; // Next: app/api/svc/[...path]/route.ts
 * ```
 */
export declare function portalHandler(options: PortalOptions<Request>): (request: Request) => Promise<Response>;
/** What is used of Node's request, and so of Express's. */
export interface NodeRequest {
    readonly method?: string | undefined;
    readonly url?: string | undefined;
    readonly headers: {
        readonly [name: string]: string | readonly string[] | undefined;
    };
}
/** What is used of Node's answer, and so of Express's. */
export interface NodeResponse {
    writeHead(status: number, headers?: {
        [name: string]: string;
    }): unknown;
    end(body?: Uint8Array): unknown;
}
/**
 * The same for Express and for Node's own server; `identify` gets the request as the framework has it, with its session.
 *
 * ```ts
 * app.use("/api/svc", expressPortalHandler<express.Request>({ url, business, token, identify: (request) => request.session.userId ?? null }));
 * ```
 */
export declare function expressPortalHandler<Q extends NodeRequest = NodeRequest>(options: PortalOptions<Q>): (request: Q, response: NodeResponse, next?: (error: unknown) => void) => void;
