// The examples type-check and build; where there is a `svc` (SVC_BIN, or the workspace's target/debug/svc), they start against it with
// their one command, and what they sell is on the bill that they show.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { request } from "node:http";
import { verifyUsage } from "@svc/backend/gateway";
import { linkExample } from "./link-example.mjs";
import { binary, operatorToken, skip, start } from "./running.mjs";

async function running(context, name) {
  const folder = mkdtempSync(join(tmpdir(), "svc-example-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const env = { SVC_OPERATOR_TOKEN: operatorToken, PORT: "0" };
  const service = await start(context, binary, ["serve", "--data", join(folder, "svc.db"), "--listen", "127.0.0.1:0", "--allow-unsandboxed"], { cwd: folder, env });
  const example = await start(context, "npm", ["start", "--silent"], { cwd: linkExample(name), env: { ...env, SVC_URL: service.url } });
  const business = /business (\S+)/.exec(example.said())?.[1];
  return { ...example, business };
}

for (const name of ["express-backend", "nextish", "frameworks"]) {
  test(`${name} type-checks and builds`, () => {
    const cwd = linkExample(name);
    for (const script of ["check", "build"]) execFileSync("npm", ["run", "--silent", script], { cwd, stdio: "pipe" });
  });
}

test("express-backend: what is in its database is on the bill, once", { skip }, async (context) => {
  const { url, business } = await running(context, "express-backend");
  const job = (id) => fetch(`${url}/v1/jobs`, { method: "POST", headers: { "x-user": "ada", "idempotency-key": id } });
  let ms = 0;
  for (const id of ["1", "2", "a-longer-one"]) {
    ms += (await (await job(id)).json()).ms;
    assert.equal((await job(id)).status, 201); // again: nothing is charged twice
  }
  const bill = () => fetch(`${url}/api/svc/portal/businesses/${business}/me/bill-preview`, { headers: { "x-user": "ada" } }).then((response) => response.json());
  const expected = String(ms * 12_000); // 12 micros a millisecond
  for (const end = Date.now() + 10_000; ; await new Promise((done) => setTimeout(done, 100))) {
    const { totals } = await bill();
    if (totals.ratedNanos === expected) break;
    assert.ok(Date.now() < end, `${totals.ratedNanos}, not ${expected}`);
  }
  assert.equal((await fetch(`${url}/api/svc/portal/businesses/${business}/me/bill-preview`)).status, 401);
});

test("nextish: both shapes are rendered by the server, and hydrate without a warning", { skip }, async (context) => {
  const { url } = await running(context, "nextish");
  const executablePath = execFileSync("bash", [fileURLToPath(new URL("../../scripts/chromium/ensure.sh", import.meta.url))], { encoding: "utf8" }).trim();
  const browser = await chromium.launch({ executablePath, args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
  context.after(() => browser.close());
  for (const [user, word] of [["ada", "Owed for usage"], ["grace", "5.00 of 5 left"]]) {
    const tab = await browser.newPage();
    const faults = [];
    tab.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    tab.on("pageerror", (error) => faults.push(String(error)));
    const [answer] = await Promise.all([tab.waitForResponse(/bill-preview$/, { timeout: 15_000 }), tab.goto(`${url}/?user=${user}`)]);
    assert.equal(answer.status(), 200, "the page keeps the bill fresh by itself");
    const html = await (await fetch(url, { headers: { cookie: `user=${user}` } })).text();
    assert.ok(html.includes(word), `the server renders "${word}"`);
    assert.ok((await tab.innerText("main")).includes(word));
    assert.deepEqual(faults, []);
    await tab.close();
  }
});

for (const name of ["express", "fastify", "hono", "fetch"]) {
  test(`frameworks: ${name} tells the gateway what was used`, async (context) => {
    const secret = "a-secret-of-the-examples-tests-1234567890";
    const cwd = linkExample("frameworks");
    const { url } = await start(context, "npm", ["start", "--silent"], { cwd, env: { PORT: "0", NAME: name, SVC_USAGE_SECRET: secret } });
    const ask = (path, method) =>
      new Promise((done, failed) => {
        request(url + path, { method, headers: { "svc-request-id": "req_1" } }, (response) => response.resume().on("end", () => done(response)))
          .on("error", failed)
          .end();
      });
    const answer = await ask("/v1/jobs", "POST");
    assert.equal(answer.statusCode, 201);
    assert.deepEqual(await verifyUsage(answer.headers["svc-usage"], { secret, requestId: "req_1" }), { ok: true, reports: { compute_ms: 125 } });
    if (name !== "express") return;
    const stream = await ask("/v1/stream", "GET");
    assert.deepEqual(await verifyUsage(stream.trailers["svc-usage"], { secret, requestId: "req_1" }), { ok: true, reports: { tokens: 3 } });
  });
}
