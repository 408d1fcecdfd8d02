// The portal's page in a real Chromium, from the real service: complete without script, alive with it, and without fault on any screen.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { between, like } from "./pictures.mjs";
import { binary, operatorToken, skip, start } from "./running.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PHONE = { width: 320, height: 640 };
const DESKTOP = { width: 1280, height: 900 };

const PRODUCT = (fee) => `
import { Meter, Plan, Product, creditGrant, svc } from "@svc/product";
@Product({ origin: "https://api.example.com" })
export default class Priced {
  @Meter("tokens") tokens;
  @Plan("clear", { name: "Clear & <b>bright</b>", limits: { tokens: { rate: 60, interval: "minute" } }, price: { amount: ${fee}, currency: "usd", interval: "month" },
    meter: { tokens: { micros: 1_000_000 } }, grants: [creditGrant({ amountCents: 500, recurs: true })] }) clear;
  @Plan("dark", { limits: { tokens: { rate: 60, interval: "minute" } }, spendPolicy: { disclosure: "opaque" }, meter: { tokens: { micros: 1000 } },
    grants: [creditGrant({ amountCents: 3, display: svc.display.multiplier({ factor: 20 }) }), creditGrant({ amountCents: 4, kind: "promo" })] }) dark;
  @Plan("bare", { limits: { tokens: { rate: 60, interval: "minute" } } }) bare;
}`;

let browser;
/** A blank page, on which pictures are compared. */
let studio;
let folder;
let service;
let business;
let deploy;
/** What `before` has started, to be ended after all tests. */
const ends = [];

async function call(method, path, body) {
  const response = await fetch(`${service.url}/v1/businesses${path}`, {
    method,
    headers: { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = await response.json();
  assert.ok(response.ok, JSON.stringify(answer));
  return answer;
}
const link = async (subject) => (await call("POST", `/${business}/portal-sessions`, { subject, returnUrl: "https://app.example/account" })).url;
const report = async (subject, id, units) => {
  const { results } = await call("POST", `/${business}/usage`, { items: [{ id, subject, meter: "tokens", units }] });
  assert.equal(results[0].status, "accepted", JSON.stringify(results));
};
async function publish(fee) {
  const { buildId } = await call("POST", `/${business}/builds`, { files: { "product/product.config.ts": PRODUCT(fee) } });
  await call("POST", `/${business}/releases`, { buildId });
}

before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), "svc-portal-"));
  service = await start({ after: (end) => ends.push(end) }, binary, ["serve", "--data", join(folder, "svc.db"), "--listen", "127.0.0.1:0", "--allow-unsandboxed"], {
    cwd: folder,
    env: { SVC_OPERATOR_TOKEN: operatorToken },
  });
  ({ businessId: business } = await call("POST", "", { name: "Ada's <Jobs>" }));
  await publish(1_900);
  for (const [subject, plan] of Object.entries({ ada: "clear", grace: "dark", zoe: "bare", max: "clear", ned: "clear", live: "clear", gone: "clear" })) {
    const { subscriptionId } = await call("POST", `/${business}/subscriptions`, { subject, plan });
    if (subject === "gone") {
      await call("POST", `/${business}/subscriptions/${subscriptionId}/cancel`, {});
      await call("POST", `/${business}/invoices`, { subscriptionId });
    }
  }
  await report("ada", "a1", "2.000000001");
  await report("grace", "g1", 10);
  await report("max", "m1", "999999999999999.123456789");
  await call("POST", `/${business}/adjustments`, { subject: "ned", kind: "correction", amountNanos: "-1", reason: "goodwill" });
  const executablePath = execFileSync("bash", [fileURLToPath(new URL("../../scripts/chromium/ensure.sh", import.meta.url))], { encoding: "utf8" }).trim();
  browser = await chromium.launch({ executablePath, args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
  studio = await browser.newPage();
});
after(async () => {
  await browser?.close();
  for (const end of ends) await end();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

/** A browser of its own, signed in as a subject. Whatever Chromium complains of is a fault, unless it is expected. */
async function open(context, subject, options = {}) {
  const { viewport = DESKTOP, colorScheme = "light", javaScriptEnabled = true, clock = false } = options;
  const visit = await browser.newContext({ viewport, colorScheme, javaScriptEnabled });
  context.after(() => visit.close());
  const tab = await visit.newPage();
  tab.faults = [];
  tab.on("console", (message) => ["error", "warning"].includes(message.type()) && tab.faults.push(message.text()));
  tab.on("pageerror", (error) => tab.faults.push(String(error)));
  if (clock) await tab.clock.install();
  await tab.goto(await link(subject));
  assert.match(tab.url(), /\/portal\/businesses\/[^/]+\/$/);
  return tab;
}
const words = async (tab) => (await tab.locator("body").innerText()).replace(/\s+/g, " ");
test("without script it is complete: the bill, an offer that is accepted, the way out", { skip }, async (context) => {
  const tab = await open(context, "ada", { javaScriptEnabled: false });
  for (const part of ["Ada's <Jobs>", "Back to Ada's <Jobs>", "Owed for usage $0.00", "Recurring fee $19.00", "Usage in all $2.000000001", "Paid by allowances $2.000000001", "$2.999999999 of $5.00 left", "There are no invoices yet."]) {
    assert.ok((await words(tab)).includes(part), `${part}\n${await words(tab)}`);
  }
  assert.equal(await tab.locator("#stale").isVisible(), false);
  await publish(2_400);
  await call("POST", `/${business}/plans/clear/migrations`, { from: "1", to: "head", policy: "opt_in" });
  await tab.reload();
  assert.match(await words(tab), /Your recurring fee is \$19\.00 now, and \$24\.00 with it\./);
  await like(tab, studio, "offer");
  await tab.click("#accept");
  assert.match(await words(tab), /You have the new version of your plan\./);
  assert.equal(await tab.locator("#offer").count(), 0);
  await tab.click("#end");
  assert.match(await words(tab), /You are signed out/);
  await tab.goBack();
  await tab.reload();
  assert.match(await words(tab), /session has ended|not signed in/);
});

test("with script it is alive: what is used is on it, and so is what the service can't say", { skip }, async (context) => {
  const tab = await open(context, "live", { clock: true });
  assert.match(await words(tab), /Usage in all \$0\.00/);
  await tab.locator("#back").focus();
  await report("live", "l1", 7);
  await tab.clock.runFor(30_000);
  await tab.waitForFunction(() => document.body.innerText.includes("$7.00"));
  assert.match(await words(tab), /Owed for usage \$2\.00/);
  await tab.locator("#windows").focus();
  await report("live", "l2", 1);
  await tab.clock.runFor(30_000);
  await tab.waitForFunction(() => document.body.innerText.includes("$8.00"));
  assert.equal(await tab.evaluate(() => document.activeElement?.id), "windows", "what had the focus has it");
  assert.deepEqual(tab.faults, []);

  // The service can't be reached: the bill stays, and says how old it is.
  await tab.context().setOffline(true);
  await tab.clock.runFor(30_000);
  await tab.waitForSelector("#stale:not([hidden])");
  assert.match(await words(tab), /This could not be refreshed\. It is as of .* UTC/);
  assert.match(await words(tab), /\$8\.00/);
  await tab.context().setOffline(false);
  await report("live", "l3", 1);
  await tab.clock.runFor(30_000);
  await tab.waitForFunction(() => document.body.innerText.includes("$9.00") && document.getElementById("stale")?.hidden);

  // The session ends elsewhere: the bill goes, the page says so, and asks no more.
  const cookies = await tab.context().cookies();
  assert.deepEqual(cookies.map(({ name, httpOnly, sameSite, path }) => [name, httpOnly, sameSite, path]), [["svc_portal", true, "Lax", `/portal/businesses/${business}/`]]);
  assert.equal(await tab.evaluate(() => document.cookie), "", "no script sees the cookie");
  await tab.context().clearCookies();
  await tab.clock.runFor(30_000);
  await tab.waitForFunction(() => document.body.innerText.includes("You are not signed in here"));
  assert.ok(!(await words(tab)).includes("$"));
  let asked = 0;
  tab.on("request", () => asked++);
  await tab.clock.runFor(120_000);
  assert.equal(asked, 0);
});

test("the policy lets no injected script run, and no injected style", { skip }, async (context) => {
  const tab = await open(context, "zoe");
  const ran = await tab.evaluate(async () => {
    const refused = [];
    document.addEventListener("securitypolicyviolation", (event) => refused.push(event.effectiveDirective));
    const script = document.createElement("script");
    script.textContent = "window.owned = 1";
    document.body.append(script);
    document.body.insertAdjacentHTML("beforeend", `<img src="x" onerror="window.owned = 2"><p id="styled" style="color: rgb(1, 2, 3)">x</p><iframe src="https://evil.example"></iframe>`);
    const other = document.createElement("script");
    other.src = "https://evil.example/x.js";
    document.body.append(other);
    await fetch("https://evil.example/").catch(() => {});
    await new Promise((done) => setTimeout(done, 300));
    return { owned: window.owned, color: getComputedStyle(document.getElementById("styled")).color, refused: [...new Set(refused)].sort() };
  });
  assert.equal(ran.owned, undefined);
  assert.notEqual(ran.color, "rgb(1, 2, 3)");
  for (const directive of ["connect-src", "frame-src", "img-src", "script-src-attr", "script-src-elem", "style-src-attr"]) {
    assert.ok(ran.refused.includes(directive), `${directive}: ${ran.refused}`);
  }
});

for (const colorScheme of ["light", "dark"]) {
  for (const [device, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
    test(`nobody is left out: every state, ${colorScheme}, on a ${device}`, { skip }, async (context) => {
      const accent = { light: "#7a1fa2", dark: "#d9a6ee" };
      await call("PUT", `/${business}/portal`, { accent });
      context.after(() => call("PUT", `/${business}/portal`, {}));
      for (const [subject, part] of Object.entries({
        max: "Owed for usage $999,999,999,999,994.123456789",
        ned: "Owed for usage -$0.000000001",
        grace: "13.34 of 20 left",
        zoe: "There are no allowances.",
        gone: "Invoice 1",
        nobody: "You have no subscription now.",
      })) {
        const tab = await open(context, subject, { viewport, colorScheme });
        assert.ok((await words(tab)).includes(part), `${part}\n${await words(tab)}`);
        await sound(tab);
        await like(tab, studio, `${subject}-${colorScheme}-${device}`);
        if (subject === "max") {
          const head = await tab.locator(".page-head").evaluate((element) => getComputedStyle(element).borderBottomColor);
          assert.equal(head, colorScheme === "light" ? "rgb(122, 31, 162)" : "rgb(217, 166, 238)", "the operator's colour");
        }
        assert.deepEqual(tab.faults, []);
        await tab.context().close();
      }
      // The pages without a bill are pages too.
      const visit = await browser.newContext({ viewport, colorScheme });
      const tab = await visit.newPage();
      const used = await link("ada");
      await fetch(used, { redirect: "manual" });
      for (const [address, part] of [[used, "This link was used already"], [`${used}x`, "This link opens nothing"], [`${service.url}/portal/businesses/${business}/`, "You are not signed in here"]]) {
        await tab.goto(address);
        assert.ok((await words(tab)).includes(part), part);
        await sound(tab);
        await like(tab, studio, `${part.replaceAll(" ", "-").toLowerCase()}-${colorScheme}-${device}`);
      }
      await visit.close();
    });
  }
}

test("a picture tells one state from another", { skip }, async () => {
  for (const [one, other] of [["max-light-phone", "max-dark-phone"], ["max-light-phone", "grace-light-phone"], ["zoe-light-desktop", "gone-light-desktop"], ["ned-dark-desktop", "nobody-dark-desktop"]]) {
    const { differ, apart, longer } = await between(studio, one, other);
    assert.ok(differ, `${one} and ${other}: ${apart} apart, ${longer} longer`);
  }
});

/** No fault that axe finds, and nothing wider than the screen. */
async function sound(tab) {
  const { page, width } = await tab.evaluate(() => ({ page: document.documentElement.scrollWidth, width: document.documentElement.clientWidth }));
  assert.ok(page <= width, `${page} > ${width}`);
  // By the debugger, which the page's policy does not bind.
  const { violations, passes } = await tab.evaluate(`${axe}; axe.run()`);
  assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]), []);
  assert.ok(passes.some(({ id }) => id === "color-contrast"), "contrast was looked at");
}
