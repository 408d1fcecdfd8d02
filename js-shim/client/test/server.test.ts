// `portalHandler` between a page and a service: through fetch, Hono and Express.

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { getRequestListener } from "@hono/node-server";
import express from "express";
import { Hono } from "hono";
import { createSvc } from "@svc/client-js";
import { expressPortalHandler, portalHandler } from "@svc/client-js/server";
import { opaque } from "./bills.js";
import { answer, listen, problem, service, type Call, type Handler } from "./service.js";

const PREVIEW = "/api/svc/portal/businesses/b/me/bill-preview";
const operator = "the operator's token";

interface World {
  /** What the service says of a token's end; undefined: nothing, as one of before. */
  expiresAt?: () => string;
  bill?: Handler;
  mint?: Handler;
}

/** A service that knows the lives of tokens where the world has `expiresAt`. */
async function against(context: TestContext, world: World = {}) {
  let minted = 0;
  const valid = new Map<string, string>();
  const server = await service((call, response) => {
    if (call.path === "/v1/businesses/b/tokens") {
      if (world.mint !== undefined) return world.mint(call, response);
      if (call.headers.authorization !== `Bearer ${operator}`) return problem(response, 401, "UNAUTHORIZED");
      const body = JSON.parse(call.body) as { kind: string; subject: string; expiresInSeconds?: number };
      assert.equal(body.kind, "portal");
      if (body.expiresInSeconds !== undefined && world.expiresAt === undefined) return problem(response, 400, "BODY_FORM");
      const token = `token-${++minted}`;
      valid.set(`Bearer ${token}`, body.subject);
      return answer(response, 201, { token, ...(world.expiresAt === undefined ? {} : { expiresAt: world.expiresAt() }) });
    }
    if (!valid.has(call.headers.authorization ?? "")) return problem(response, 401, "UNAUTHORIZED");
    if (world.bill !== undefined) return world.bill(call, response);
    answer(response, 200, { ...opaque, subject: valid.get(call.headers.authorization ?? "") }, { "set-cookie": "inner=1" });
  });
  context.after(server.stop);
  const mints = () => server.calls.filter(({ path }) => path.endsWith("/tokens"));
  return { ...server, mints, valid, options: { url: server.url, business: "b", token: operator } };
}

const identify = (request: Request) => request.headers.get("x-user");
const ask = (portal: (request: Request) => Promise<Response>, user: string | null = "u1", path = PREVIEW, init: RequestInit = {}) =>
  portal(new Request(`https://app.example.com${path}`, { ...init, headers: { ...(user === null ? {} : { "x-user": user }), ...(init.headers as object) } }));
const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code];
const later = () => new Date(Date.now() + 300_000).toISOString();

test("the bill of who is signed in, and nothing of the way there", async (context) => {
  const { options, calls } = await against(context, { expiresAt: later });
  const portal = portalHandler({ ...options, identify });
  const response = await ask(portal);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("cache-control"), "private, no-store");
  assert.equal(response.headers.get("x-request-id"), "req-1");
  assert.equal(response.headers.get("set-cookie"), null);
  assert.equal(((await response.json()) as { subject: string }).subject, "u1");
  assert.equal(calls[0]?.body, '{"kind":"portal","subject":"u1","expiresInSeconds":300}');
  assert.match(String(calls[0]?.headers["svc-package"]), /^@svc\/client-js@/);
});

test("a token is kept for its subject alone, and minted once for all who ask together", async (context) => {
  const { options, mints } = await against(context, { expiresAt: later });
  const portal = portalHandler({ ...options, identify });
  const subjects = await Promise.all(["u1", "u1", "u2", "u1", "u2"].map(async (user) => ((await (await ask(portal, user)).json()) as { subject: string }).subject));
  assert.deepEqual(subjects, ["u1", "u1", "u2", "u1", "u2"]);
  await ask(portal, "u1");
  assert.equal(mints().length, 2);
});

test("nothing is kept that outlives the token", async (context) => {
  let lifeMs = 20_000; // within the margin: ended as good as
  const { options, mints } = await against(context, { expiresAt: () => new Date(Date.now() + lifeMs).toISOString() });
  const portal = portalHandler({ ...options, identify });
  await ask(portal);
  await ask(portal);
  assert.equal(mints().length, 2);
  lifeMs = 30_200;
  await ask(portal);
  await ask(portal);
  assert.equal(mints().length, 3);
  await new Promise((done) => setTimeout(done, 300));
  await ask(portal);
  assert.equal(mints().length, 4);
});

test("a service of before the lives of tokens: minted without, kept five minutes at most", async (context) => {
  const { options, calls, mints } = await against(context);
  const portal = portalHandler({ ...options, identify });
  assert.equal((await ask(portal)).status, 200);
  assert.equal((await ask(portal)).status, 200);
  assert.deepEqual(mints().map(({ body }) => body), ['{"kind":"portal","subject":"u1","expiresInSeconds":300}', '{"kind":"portal","subject":"u1"}']);
  const now = Date.now();
  context.mock.method(Date, "now", () => now + 300_000);
  await ask(portal);
  assert.equal(mints().length, 3);
  assert.ok(calls.length >= 6);
});

test("a revoked token is replaced once", async (context) => {
  const { options, valid, mints } = await against(context, { expiresAt: later });
  const portal = portalHandler({ ...options, identify });
  await ask(portal);
  valid.clear();
  assert.equal((await ask(portal)).status, 200);
  assert.equal(mints().length, 2);
  const { options: refusing } = await against(context, { expiresAt: later, bill: (_, response) => problem(response, 401, "UNAUTHORIZED") });
  assert.deepEqual(await codeOf(await ask(portalHandler({ ...refusing, identify }))), [502, "TOKEN_REFUSED"]);
});

test("who is not signed in, another method, another path, another site", async (context) => {
  const { options, calls } = await against(context);
  const portal = portalHandler({ ...options, identify });
  assert.deepEqual(await codeOf(await ask(portal, null)), [401, "UNAUTHORIZED"]);
  assert.deepEqual(await codeOf(await ask(portal, "u1", PREVIEW, { method: "POST" })), [405, "METHOD_NOT_ALLOWED"]);
  assert.deepEqual(await codeOf(await ask(portal, "u1", "/api/svc/portal/businesses/other/me/bill-preview")), [404, "NOT_FOUND"]);
  assert.deepEqual(await codeOf(await ask(portal, "u1", "/api/svc/token")), [405, "METHOD_NOT_ALLOWED"]);
  assert.deepEqual(await codeOf(await ask(portal, "u1", "/api/svc/token", { method: "POST", headers: { "sec-fetch-site": "cross-site" } })), [403, "CROSS_SITE"]);
  assert.equal(calls.length, 0, "the service is asked nothing");
});

test("a page that asks the service itself gets a token", async (context) => {
  const end = later();
  const { options, valid, url } = await against(context, { expiresAt: () => end });
  const portal = portalHandler({ ...options, identify });
  const response = await ask(portal, "u7", "/api/svc/token", { method: "POST", headers: { "sec-fetch-site": "same-origin" } });
  assert.equal(response.status, 201);
  assert.equal(response.headers.get("cache-control"), "private, no-store");
  const { token, expiresAt } = (await response.json()) as { token: string; expiresAt: string };
  assert.equal(expiresAt, end);
  assert.equal(valid.get(`Bearer ${token}`), "u7");
  const bill = await createSvc({ baseUrl: url, business: "b", getToken: () => token }).billing.getBillPreview();
  assert.equal(bill.disclosure, "opaque");
});

test("the service's answers are handed on; what is wrong with this server's token is no 401", async (context) => {
  const busy = await against(context, { bill: (_, response) => problem(response, 503, "BUSY", { "retry-after": "3" }) });
  const answered = await ask(portalHandler({ ...busy.options, identify }));
  assert.equal(answered.headers.get("retry-after"), "3");
  assert.deepEqual(await codeOf(answered), [503, "BUSY"]);
  const wrong = await against(context);
  assert.deepEqual(await codeOf(await ask(portalHandler({ ...wrong.options, token: async () => "wrong", identify }))), [502, "TOKEN_REFUSED"]);
  const full = await against(context, { mint: (_, response) => problem(response, 429, "RATE_LIMITED", { "retry-after": "2" }) });
  const limited = await ask(portalHandler({ ...full.options, identify }));
  assert.equal(limited.headers.get("retry-after"), "2");
  assert.deepEqual(await codeOf(limited), [503, "RATE_LIMITED"]);
  const gone = portalHandler({ ...wrong.options, url: "http://127.0.0.1:1", identify });
  assert.deepEqual(await codeOf(await ask(gone)), [503, "SERVICE_UNREACHABLE"]);
});

test("a failure to mint is not kept", async (context) => {
  let fails = true;
  const world: World = { expiresAt: later };
  const { options } = await against(context, world);
  world.mint = (_, response) => (fails ? problem(response, 500, "INTERNAL") : answer(response, 201, { token: "t", expiresAt: later() }));
  world.bill = (_, response) => answer(response, 200, opaque);
  const portal = portalHandler({ ...options, identify });
  assert.equal((await ask(portal, "u1", "/api/svc/token", { method: "POST" })).status, 502);
  fails = false;
  assert.equal((await ask(portal, "u1", "/api/svc/token", { method: "POST" })).status, 201);
});

for (const kind of ["hono", "express", "express, mounted"] as const) {
  test(`through ${kind}, with the client in front`, async (context) => {
    const { options } = await against(context, { expiresAt: later });
    const app = express();
    const user = (request: express.Request) => request.get("x-user") ?? null;
    if (kind === "express") app.all(/^\/api\/svc/, expressPortalHandler<express.Request>({ ...options, identify: user }));
    else app.use("/api/svc", expressPortalHandler<express.Request>({ ...options, identify: user }));
    const hono = new Hono().all("/api/svc/*", (c) => portalHandler({ ...options, identify })(c.req.raw));
    const front = await listen(kind === "hono" ? getRequestListener(hono.fetch) : app);
    context.after(front.stop);
    const signedIn = (input: RequestInfo | URL, init?: RequestInit) => fetch(input, { ...init, headers: { ...init?.headers, "x-user": "u1" } });
    const svc = createSvc({ baseUrl: `${front.url}/api/svc`, business: "b", fetch: signedIn });
    assert.deepEqual(await svc.billing.getBillPreview(), opaque);
    await assert.rejects(createSvc({ baseUrl: `${front.url}/api/svc`, business: "b" }).billing.getBillPreview(), { status: 401, code: "UNAUTHORIZED" });
  });
}

test("an `identify` that throws is the framework's matter", async (context) => {
  const { options } = await against(context);
  const throws = () => Promise.reject(new Error("no session store"));
  await assert.rejects(ask(portalHandler({ ...options, identify: throws })), /no session store/);
  const app = express();
  app.use("/api/svc", expressPortalHandler({ ...options, identify: throws }));
  app.use(((_error, _request, response, _next) => void response.status(500).end("handled")) as express.ErrorRequestHandler);
  const front = await listen(app);
  context.after(front.stop);
  assert.equal(await (await fetch(front.url + PREVIEW)).text(), "handled");
});

export type { Call };
