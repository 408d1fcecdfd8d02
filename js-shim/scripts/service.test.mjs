// The packages against the real service, where there is a `svc` (SVC_BIN, or target/debug/svc): what the tests' own service
// imitates, the real one does.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createUsage } from "@svc/backend";
import { createSvc, formatNanos } from "@svc/client-js";
import { portalHandler } from "@svc/client-js/server";
import { binary, operatorToken, skip, start } from "./running.mjs";

test("usage, holds, tokens and both bills", { skip }, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "svc-service-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const { url } = await start(context, binary, ["serve", "--data", join(folder, "svc.db"), "--listen", "127.0.0.1:0", "--allow-unsandboxed"], {
    cwd: folder,
    env: { SVC_OPERATOR_TOKEN: operatorToken },
  });
  const call = async (path, body) => {
    const response = await fetch(`${url}/v1/businesses${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const answer = await response.json();
    assert.ok(response.ok, JSON.stringify(answer));
    return answer;
  };
  const source = readFileSync(new URL("../../examples/tokens/product/product.config.ts", import.meta.url), "utf8");
  const { businessId: business } = await call("", { name: "Tokens" });
  const { buildId } = await call(`/${business}/builds`, { files: { "product/product.config.ts": source } });
  await call(`/${business}/releases`, { buildId });
  await call(`/${business}/subscriptions`, { subject: "ada", plan: "payg" });
  await call(`/${business}/subscriptions`, { subject: "grace", plan: "pro" });
  const { token } = await call(`/${business}/tokens`, { kind: "deploy" });

  const told = [];
  const usage = createUsage({ url, token, business, sendAfterMs: 5 });
  for (const event of ["accepted", "duplicate", "refused", "retrying"]) usage.on(event, (event_) => told.push([event, event_.id, event_.code]));

  // A served request, a measured value, the same again, one that is wrong.
  const chat = { requestId: "r1", subject: "ada", route: "POST /v1/chat", status: 200, reports: { input_tokens: 1_000_000, output_tokens: "500000" } };
  await usage.report(chat, { id: "m1", subject: "ada", meter: "input_tokens", units: 10 });
  await usage.report(chat, { id: "m2", subject: "ada", meter: "no_such", units: 1 }, { ...chat, reports: { input_tokens: 1 } });
  assert.deepEqual(await usage.flush(), { pending: 0, stopped: null });
  assert.deepEqual(told.splice(0), [
    ["accepted", "r1", undefined], ["accepted", "m1", undefined], ["duplicate", "r1", undefined], ["refused", "m2", "UNKNOWN_METER"], ["refused", "r1", "ITEM_CONFLICT"],
  ]);

  // A hold: set, settled; let go; settled after it has run out; denied.
  const held = await usage.withHold({ id: "h1", subject: "grace", route: "POST /v1/chat" }, async (hold) => {
    await hold.settle({ status: 200, reports: { input_tokens: 1_000, output_tokens: 500 } });
    return hold.heldNanos;
  });
  assert.match(held, /^[1-9]\d*$/);
  await usage.withHold({ id: "h2", subject: "grace", meter: "output_tokens", units: 10 }, async () => {});
  await usage.withHold({ id: "h3", subject: "grace", meter: "output_tokens", units: 10, expiresInSeconds: 1 }, async (hold) => {
    await new Promise((done) => setTimeout(done, 1_200));
    await hold.settle({ units: 10 });
  });
  assert.deepEqual(await usage.flush(), { pending: 0, stopped: null });
  assert.deepEqual(told.splice(0), [["accepted", "h1", undefined], ["accepted", "h3", undefined]]);
  await assert.rejects(
    usage.withHold({ id: "h4", subject: "grace", meter: "output_tokens", units: "1000000000000" }, async () => assert.fail("worked")),
    { name: "HoldRefused", code: "SPEND_LIMIT_REACHED", status: 409 },
  );
  await usage.close();

  // A wrong token stops it, loudly.
  const stranger = createUsage({ url, token: "svc_deploy_no", business });
  const stopped = new Promise((done) => stranger.on("stopped", done));
  await stranger.report({ id: "x", subject: "ada", meter: "input_tokens", units: 1 });
  stranger.flush();
  assert.equal((await stopped).error.code, "UNAUTHORIZED");
  assert.equal((await stranger.close()).pending, 1);

  // A package of another major version stops with the service's sentence, and keeps everything.
  const newer = (input, init) => fetch(input, { ...init, headers: { ...init.headers, "svc-package": "@svc/backend@7.0.0" } });
  const strange = createUsage({ url, token, business, fetch: newer });
  const refused = new Promise((done) => strange.on("stopped", done));
  await strange.report({ id: "y", subject: "ada", meter: "input_tokens", units: 1 });
  strange.flush();
  const { error } = await refused;
  assert.equal(error.code, "SERVICE_REFUSED");
  assert.match(error.message, /this service is of version .* and @svc\/backend of 7\.0\.0: install @svc\/backend .* \(426 PACKAGE_VERSION\)/);
  assert.equal((await strange.close()).pending, 1);

  // Both bills, through the portal handler and with a token of its own.
  const portal = portalHandler({ url, business, token: operatorToken, identify: (request) => request.headers.get("x-user") });
  const as = (user) => createSvc({ baseUrl: "http://app/api", business, fetch: (input, init) => portal(new Request(input, { ...init, headers: { "x-user": user } })) });
  const ada = await as("ada").billing.getBillPreview();
  assert.equal(ada.disclosure, "transparent");
  assert.equal(ada.totals.ratedNanos, String(150_000_000 + 300_000_000 + 1_500)); // 15 cents a million in, 60 cents a million out
  assert.equal(formatNanos(ada.totals.ratedNanos), "$0.4500015");
  const grace = await as("grace").billing.getBillPreview();
  assert.equal(grace.disclosure, "opaque");
  assert.deepEqual(grace.allowances.map(({ display }) => display.kind), ["multiplier"]);
  const { token: portalToken, expiresAt } = await (await portal(new Request("http://app/api/token", { method: "POST", headers: { "x-user": "ada" } }))).json();
  const life = Date.parse(expiresAt) - Date.now();
  assert.ok(life > 200_000 && life <= 300_000, `a token of five minutes ends in ${life} ms`);
  assert.deepEqual(await createSvc({ baseUrl: url, business, getToken: () => portalToken }).billing.getBillPreview(), ada);
  await assert.rejects(as("nobody").billing.getBillPreview(), { code: "NOT_FOUND", status: 404 });
  assert.deepEqual((await call(`/${business}/ledger/audit`)).findings, []);
});
