// The client against a server.

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createSvc, SvcError, type SvcOptions } from "@svc/client-js";
import { opaque, transparent } from "./bills.js";
import { answer, problem, service, type Handler } from "./service.js";

async function against(context: TestContext, handler: Handler, options: Partial<SvcOptions> = {}) {
  const server = await service(handler);
  context.after(server.stop);
  return { ...server, svc: createSvc({ baseUrl: `${server.url}/`, business: "biz 1", ...options }) };
}

const failure = (expected: Partial<SvcError>) => (error: unknown) => {
  assert.ok(error instanceof SvcError);
  for (const [name, value] of Object.entries(expected)) assert.equal(error[name as keyof SvcError], value, name);
  return true;
};

test("a bill is fetched with the token, from the path of the business", async (context) => {
  const { svc, calls } = await against(context, (_, response) => answer(response, 200, transparent), { getToken: () => "portal" });
  assert.deepEqual(await svc.billing.getBillPreview(), transparent);
  assert.equal(calls[0]?.path, "/portal/businesses/biz%201/me/bill-preview");
  assert.equal(calls[0]?.headers["authorization"], "Bearer portal");
});

test("without a token none is sent", async (context) => {
  const { svc, calls } = await against(context, (_, response) => answer(response, 200, opaque));
  await svc.billing.getBillPreview();
  assert.equal(calls[0]?.headers["authorization"], undefined);
});

test("a token that is refused is asked for once more, and only once", async (context) => {
  const asked: boolean[] = [];
  const { svc, calls } = await against(
    context,
    ({ headers }, response) => (headers.authorization === "Bearer fresh" ? answer(response, 200, opaque) : problem(response, 401, "UNAUTHORIZED")),
    { getToken: ({ refused }) => (asked.push(refused), refused && asked.length < 3 ? "fresh" : `old ${asked.length}`) },
  );
  assert.deepEqual(await svc.billing.getBillPreview(), opaque);
  assert.deepEqual(asked, [false, true]);
  await assert.rejects(svc.billing.getBillPreview(), failure({ code: "UNAUTHORIZED", status: 401 }));
  assert.deepEqual(asked, [false, true, false, true]);
  assert.equal(calls.length, 4);
});

test("problems keep their code, wait and request", async (context) => {
  let respond: Handler = () => {};
  const { svc } = await against(context, (call, response) => respond(call, response));
  respond = (_, response) => problem(response, 503, "STORE_UNAVAILABLE", { "retry-after": "7" });
  await assert.rejects(svc.billing.getBillPreview(), failure({ code: "STORE_UNAVAILABLE", status: 503, retryAfterMs: 7_000, requestId: "req-1", message: "It is STORE_UNAVAILABLE." }));
  respond = (_, response) => problem(response, 429, "RATE_LIMITED", { "retry-after": "99999999" });
  await assert.rejects(svc.billing.getBillPreview(), failure({ retryAfterMs: 300_000 }));
  respond = (_, response) => problem(response, 429, "RATE_LIMITED", { "retry-after": new Date(Date.now() - 5_000).toUTCString() });
  await assert.rejects(svc.billing.getBillPreview(), failure({ retryAfterMs: 0 }));
  respond = (_, response) => problem(response, 404, "NOT_FOUND", { "retry-after": "soon" });
  await assert.rejects(svc.billing.getBillPreview(), failure({ code: "NOT_FOUND", status: 404, retryAfterMs: null }));
  respond = (_, response) => answer(response, 502, "<h1>Bad gateway</h1>");
  await assert.rejects(svc.billing.getBillPreview(), failure({ code: "HTTP_502" }));
  respond = (_, response) => answer(response, 200, "<h1>Welcome</h1>");
  await assert.rejects(svc.billing.getBillPreview(), failure({ code: "ANSWER_FORM", status: 200 }));
  respond = (_, response) => void response.destroy();
  await assert.rejects(svc.billing.getBillPreview(), failure({ code: "NETWORK", status: 0 }));
});

test("an end by time, and by the caller", async (context) => {
  const { svc } = await against(context, () => {}, { timeoutMs: 30 });
  await assert.rejects(svc.billing.getBillPreview(), failure({ code: "TIMEOUT" }));
  const { svc: patient } = await against(context, () => {});
  const end = new AbortController();
  setTimeout(() => end.abort(), 20);
  await assert.rejects(patient.billing.getBillPreview({ signal: end.signal }), failure({ code: "ABORTED" }));
  await assert.rejects(patient.billing.getBillPreview({ signal: AbortSignal.abort() }), failure({ code: "ABORTED" }));
});

test("a secret token never leaves the page", async (context) => {
  const { svc, calls } = await against(context, () => {}, { getToken: () => "svc_deploy_1" });
  await assert.rejects(svc.billing.getBillPreview(), failure({ code: "TOKEN_KIND" }));
  assert.equal(calls.length, 0);
});

test("a token that can't be had is an error of its own", async (context) => {
  const { svc, calls } = await against(context, () => {}, { getToken: () => Promise.reject(new Error("no session")) });
  await assert.rejects(svc.billing.getBillPreview(), failure({ code: "TOKEN" }));
  assert.equal(calls.length, 0);
});
