// `portalHandler`: the page asks your server, which knows who is signed in, and your server asks the service.
import { Portal } from "./portal.js";
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
export function portalHandler(options) {
    const portal = new Portal(options);
    return (request) => portal.answer({
        method: request.method,
        pathname: new URL(request.url).pathname,
        site: request.headers.get("sec-fetch-site"),
        identify: () => options.identify(request),
    });
}
/**
 * The same for Express and for Node's own server; `identify` gets the request as the framework has it, with its session.
 *
 * ```ts
 * app.use("/api/svc", expressPortalHandler<express.Request>({ url, business, token, identify: (request) => request.session.userId ?? null }));
 * ```
 */
export function expressPortalHandler(options) {
    const portal = new Portal(options);
    return (request, response, next) => {
        const site = request.headers["sec-fetch-site"];
        const asked = portal.answer({
            method: request.method ?? "GET",
            pathname: new URL(request.url ?? "/", "http://localhost").pathname,
            site: typeof site === "string" ? site : null,
            identify: () => options.identify(request),
        });
        asked.then((answer) => send(answer, response)).catch((error) => {
            if (next !== undefined)
                return next(error);
            response.writeHead(500);
            response.end();
        });
    };
}
async function send(answer, response) {
    const body = new Uint8Array(await answer.arrayBuffer());
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(body);
}
