// The hook and the component in a real Chromium: what is asked of the server, what is shown, and whether axe finds fault.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type Page as Tab } from "playwright-core";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { createSvc, type BillPreview } from "@svc/client-js";
import { empty, opaque, transparent } from "./bills.js";
import { Page, type PageProps } from "./browser/page.js";
import { answer, problem, service, type Call, type Handler } from "./service.js";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const app = readFileSync(path("./browser/app.js"));
const css = readFileSync(path("../../styles/bill-preview.css"));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser: Browser;
let tab: Tab;
let site: Awaited<ReturnType<typeof service>>;
/** How the bill is answered. */
let bill: Handler;
let fee = 0;
/** What the server has rendered for the page, and with which properties. */
let rendered = { html: "", props: "" };
let faults: string[] = [];

const html = () => `<!doctype html><html lang="en"><head><title>Account</title><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><link rel="stylesheet" href="/bill-preview.css"></head>
<body><div id="root">${rendered.html}</div><script type="application/json" id="props">${rendered.props}</script><script type="module" src="/app.js"></script></body></html>`;

before(async () => {
  const ensured = spawnSync("bash", [path("../../../../scripts/chromium/ensure.sh")], { encoding: "utf8" });
  assert.equal(ensured.status, 0, ensured.stderr);
  browser = await chromium.launch({
    executablePath: ensured.stdout.trim(),
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  site = await service((call, response) => {
    const { pathname } = new URL(call.path, "http://x");
    if (pathname.endsWith("/me/bill-preview")) return bill(call, response);
    // No inline script or style: what the component needs goes under the strictest policy.
    const headers = { "content-security-policy": "default-src 'self'; img-src data:", "content-type": "text/html; charset=utf-8" };
    if (pathname === "/app.js") return answer(response, 200, app.toString(), { "content-type": "text/javascript" });
    if (pathname === "/bill-preview.css") return answer(response, 200, css.toString(), { "content-type": "text/css" });
    answer(response, 200, html(), headers);
  });
});
after(async () => {
  await browser.close();
  await site.stop();
});
beforeEach(async () => {
  rendered = { html: "", props: "" };
  faults = [];
  fee = 0;
  bill = (_, response) => answer(response, 200, { ...empty, recurringFeeCents: ++fee });
  tab = await browser.newPage();
  tab.on("console", (message) => {
    // Chromium logs failed requests itself; everything else is React's or ours.
    if (["error", "warning"].includes(message.type()) && !message.text().startsWith("Failed to load resource")) faults.push(message.text());
  });
  tab.on("pageerror", (error) => faults.push(String(error)));
  site.calls.length = 0;
});
afterEach(async () => {
  await tab.close();
  assert.deepEqual(faults, []);
});

const asked = (): Call[] => site.calls.filter((call) => call.path.endsWith("/me/bill-preview"));
const open = (scene: string, options: object = {}) => tab.goto(`${site.url}/?scene=${scene}&options=${encodeURIComponent(JSON.stringify(options))}`);
const probe = async () => JSON.parse((await tab.textContent("#probe")) ?? "null") as { fee: number | null; error: string | null; status: string; isLoading: boolean; isFetching: boolean };
const settled = (expected: object) =>
  tab.waitForFunction((text) => document.querySelector("#probe")?.textContent === text, JSON.stringify({ fee: null, error: null, status: "success", isLoading: false, isFetching: false, ...expected }));
/** Time that the test alone moves on. */
async function stopClock() {
  await tab.clock.install({ time: new Date("2026-11-28T10:00:00Z") });
  await tab.clock.pauseAt(new Date("2026-11-28T10:00:01Z"));
}
const pass = (ms: number) => tab.clock.runFor(ms);
const quiet = () => new Promise((done) => setTimeout(done, 80));
async function show(visible: boolean) {
  await tab.evaluate((state) => {
    Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, visible ? "visible" : "hidden");
}
const focus = () => tab.evaluate(() => void window.dispatchEvent(new Event("focus")));

test("one request under StrictMode; pending, then the bill", async () => {
  await open("hook");
  await settled({ fee: 1 });
  await quiet();
  assert.equal(asked().length, 1);
  const states = await tab.evaluate(() => window.results.map(({ status, isLoading, isFetching }) => [status, isLoading, isFetching].join()));
  assert.equal(states[0], "pending,false,false");
  assert.ok(states.includes("pending,true,true"));
  assert.equal(states.at(-1), "success,false,false");
  assert.ok((await tab.evaluate(() => Date.now() - (window.results.at(-1)?.dataUpdatedAt ?? 0))) < 10_000);
});

test("three components share one bill and one request", async () => {
  await open("shared");
  await settled({ fee: 1 });
  assert.equal(await tab.locator(".svc-bill dl").count(), 2);
  assert.equal(asked().length, 1);
});

test("a result that has not changed is the same object, and so is its data when the bill says the same", async () => {
  bill = (_, response) => answer(response, 200, transparent);
  await open("hook");
  await settled({ fee: 1_900 });
  const same = await tab.evaluate(async () => {
    const before = window.results.at(-1)?.data;
    const after = await window.refetch();
    return before === after.data && after.status === "success";
  });
  assert.equal(same, true);
  assert.equal(asked().length, 2);
});

test("not enabled: nothing is asked, until it is", async () => {
  await open("hook", { enabled: false });
  await quiet();
  assert.deepEqual(await probe(), { fee: null, error: null, status: "pending", isLoading: false, isFetching: false });
  assert.equal(asked().length, 0);
  await tab.evaluate(() => window.setOptions({ enabled: true }));
  await settled({ fee: 1 });
});

test("it polls while the page is shown, stops when hidden, and catches up", async () => {
  await stopClock();
  await open("hook", { refetchInterval: 10_000, refetchOnFocus: false });
  await settled({ fee: 1 });
  for (const expected of [2, 3]) {
    await pass(9_800);
    await quiet();
    assert.equal(asked().length, expected - 1);
    await pass(200);
    await settled({ fee: expected });
    assert.equal(asked().length, expected);
  }
  await show(false);
  await pass(100_000);
  await quiet();
  assert.equal(asked().length, 3, "hidden, nothing is asked");
  await show(true);
  await pass(1);
  await settled({ fee: 4 });
  await tab.evaluate(() => window.setOptions(null));
  await pass(100_000);
  await quiet();
  assert.equal(asked().length, 4, "gone, nothing is asked");
});

test("a poll is at most one a second", async () => {
  await stopClock();
  await open("hook", { refetchInterval: 1 });
  await settled({ fee: 1 });
  await pass(900);
  await quiet();
  assert.equal(asked().length, 1);
  await pass(200);
  await settled({ fee: 2 });
});

test("coming back asks again, at most every five seconds, and not where it is not wanted", async () => {
  await stopClock();
  await open("hook");
  await settled({ fee: 1 });
  await pass(4_000);
  await focus();
  await quiet();
  assert.equal(asked().length, 1);
  await pass(2_000);
  await focus();
  await settled({ fee: 2 });
  await tab.evaluate(() => window.setOptions({ refetchOnFocus: false }));
  await pass(60_000);
  await focus();
  await quiet();
  assert.equal(asked().length, 2);
});

test("a failed refresh keeps the last good bill, and says why and how old it is", async () => {
  await open("hook");
  await settled({ fee: 1 });
  const at = await tab.evaluate(() => window.results.at(-1)?.dataUpdatedAt);
  bill = (_, response) => problem(response, 500, "INTERNAL");
  const failed = await tab.evaluate(async () => {
    const { data, error, status, dataUpdatedAt } = await window.refetch();
    return { fee: data?.recurringFeeCents, code: error?.code, status, dataUpdatedAt };
  });
  assert.deepEqual(failed, { fee: 1, code: "INTERNAL", status: "error", dataUpdatedAt: at });
  await settled({ fee: 1, error: "INTERNAL", status: "error" });
  bill = (_, response) => answer(response, 200, { ...empty, recurringFeeCents: 9 });
  await tab.evaluate(() => window.refetch());
  await settled({ fee: 9 });
});

for (const [status, code] of [[401, "UNAUTHORIZED"], [403, "FORBIDDEN"]] as const) {
  test(`${status} drops the bill and ends polling, until somebody asks by hand`, async () => {
    await stopClock();
    await open("hook", { refetchInterval: 5_000 });
    await settled({ fee: 1 });
    bill = (_, response) => problem(response, status, code);
    await pass(5_000);
    await settled({ error: code, status: "error" });
    await pass(60_000);
    await focus();
    await quiet();
    assert.equal(asked().length, 2);
    bill = (_, response) => answer(response, 200, { ...empty, recurringFeeCents: 7 });
    await tab.evaluate(() => window.refetch());
    await settled({ fee: 7 });
    await pass(5_000);
    await quiet();
    assert.equal(asked().length, 4, "it polls again");
  });
}

test("503 waits for `Retry-After`, then asks by itself; by hand, by focus and by poll no sooner", async () => {
  await stopClock();
  bill = (_, response) => problem(response, 503, "STORE_UNAVAILABLE", { "retry-after": "20" });
  await open("hook", { refetchInterval: 1_000 });
  await settled({ error: "STORE_UNAVAILABLE", status: "error" });
  bill = (_, response) => answer(response, 200, { ...empty, recurringFeeCents: 5 });
  const byHand = tab.evaluate(() => window.refetch().then(({ data }) => data?.recurringFeeCents));
  await pass(19_000);
  await focus();
  await show(true);
  await quiet();
  assert.equal(asked().length, 1);
  await pass(1_100);
  assert.equal(await byHand, 5);
  await settled({ fee: 5 });
  assert.equal(asked().length, 2);
});

test("503 without polling is asked again too", async () => {
  await stopClock();
  bill = (_, response) => problem(response, 503, "BUSY", { "retry-after": "2" });
  await open("hook");
  await settled({ error: "BUSY", status: "error" });
  bill = (_, response) => answer(response, 200, { ...empty, recurringFeeCents: 5 });
  await pass(2_100);
  await settled({ fee: 5 });
});

test("another subscriber's client begins with nothing", async () => {
  await open("hook");
  await settled({ fee: 1 });
  let respond = () => {};
  bill = (_, response) => void (respond = () => answer(response, 200, { ...empty, recurringFeeCents: 50 }));
  await tab.evaluate(() => window.signIn("other"));
  await settled({ status: "pending", isLoading: true, isFetching: true });
  await quiet();
  assert.match(asked()[1]?.path ?? "", /businesses\/other\//);
  respond();
  await settled({ fee: 50 });
});

test("suspense: one request, the fallback, then the bill", async () => {
  let respond = () => {};
  bill = (_, response) => void (respond = () => answer(response, 200, { ...empty, recurringFeeCents: 3 }));
  await open("suspense");
  await tab.waitForSelector("#fallback");
  await quiet();
  respond();
  await settled({ fee: 3 });
  assert.equal(asked().length, 1);
});

test("suspense: an error goes to the boundary, and its retry asks again", async () => {
  bill = (_, response) => problem(response, 404, "NOT_FOUND");
  await open("suspense");
  await tab.waitForSelector("#again");
  assert.equal(await tab.textContent("#again"), "NOT_FOUND");
  bill = (_, response) => answer(response, 200, { ...empty, recurringFeeCents: 3 });
  await new Promise((done) => setTimeout(done, 2_100));
  await tab.click("#again");
  await settled({ fee: 3 });
  faults = faults.filter((fault) => !fault.includes("NOT_FOUND")); // React logs what a boundary has caught
});

// ---- Server rendering ----

/** Renders as a server does, with a client that must not be asked. */
function render(options: PageProps["options"]): void {
  const svc = createSvc({ baseUrl: "http://127.0.0.1:1", business: "b", fetch: () => assert.fail("a server's rendering fetches nothing") });
  rendered = { html: renderToString(createElement(Page, { svc, options })), props: JSON.stringify({ options }).replaceAll("<", "\\u003c") };
}

for (const [name, initialData] of Object.entries({ transparent, opaque, empty })) {
  test(`server rendering of the ${name} bill hydrates without a warning, then refreshes`, async () => {
    render({ initialData, locale: "de-DE", timeZone: "Europe/Berlin", headingLevel: 2 });
    bill = (_, response) => answer(response, 200, { ...initialData, recurringFeeCents: 4_200 });
    await tab.goto(site.url);
    await tab.waitForFunction(() => document.querySelector(".svc-bill dl")?.textContent?.includes("42,00"));
    assert.deepEqual(await tab.evaluate(() => window.hydrationErrors), []);
    assert.equal(asked().length, 1);
  });
}

test("server rendering without a bill, and with suspense, hydrates without a warning", async () => {
  for (const options of [{}, { suspense: true }]) {
    render(options);
    assert.match(rendered.html, /Loading your bill/);
    await tab.goto(site.url);
    await tab.waitForSelector(".svc-bill dl");
    assert.deepEqual(await tab.evaluate(() => window.hydrationErrors), []);
  }
});

test("a client that outlives its request on a server shows nobody another's bill", () => {
  const svc = createSvc({ baseUrl: "http://127.0.0.1:1", business: "b" });
  const first = renderToString(createElement(Page, { svc, options: { initialData: transparent } }));
  assert.match(first, /9,007,199,254,740,993\.123456789/);
  const second = renderToString(createElement(Page, { svc, options: {} }));
  assert.match(second, /Loading/);
});

// ---- The component ----

const view = async (data: BillPreview | null, options: object = {}) => {
  if (data !== null) bill = (_, response) => answer(response, 200, data);
  await open("component", options);
  if (data !== null) await tab.waitForSelector(".svc-bill dl");
};

test("the transparent bill, word for word", async () => {
  await view(transparent);
  const text = (await tab.locator(".svc-bill").innerText()).replace(/\s+/g, " ");
  for (const part of [
    "Owed for usage -$0.000000001", "Recurring fee $19.00", "Usage in all $9,007,199,254,740,993.123456789", "Paid by allowances $5.00",
    "Nov 1, 2026 – Nov 15, 2026 12,345 $9,007,199,254,740,993.123456789", "Included Available $2.50 of $5.00 left $0.000000001 set aside Expires Dec 1, 2026",
    "Promotion Used up $0.00 of $0.00 left", "a_new_kind A_NEW_STATE",
  ]) assert.ok(text.includes(part), `${part}\n${text}`);
  assert.equal(await tab.locator("table tbody th[scope=row]").count(), 2);
  const bars = await tab.locator("progress").evaluateAll((found) => found.map((bar) => [bar.getAttribute("aria-label"), bar.getAttribute("aria-valuetext"), (bar as HTMLProgressElement).position]));
  assert.deepEqual(bars.map(([label, , position]) => [label, position]), [["Included", 0.5], ["Promotion", 1], ["a_new_kind", 0]]);
  assert.equal(bars[0]?.[1], "$2.50 of $5.00 left");
});

test("the opaque bill, word for word, with no amount but the fee", async () => {
  await view(opaque, { locale: "de-DE" });
  const text = (await tab.locator(".svc-bill").innerText()).replace(/\s+/g, " ");
  for (const part of ["Recurring fee 0,00 $", "12,50 of 20 left", "74,99 % left", "Referral Available", "What is owed for usage is on the invoice."]) {
    assert.ok(text.includes(part), `${part}\n${text}`);
  }
  assert.equal((text.match(/\$/g) ?? []).length, 1);
  assert.deepEqual(await tab.locator("progress").evaluateAll((found) => found.map((bar) => (bar as HTMLProgressElement).position)), [0.375, 0.2501]);
});

test("other words, another heading level", async () => {
  await view(empty, { labels: { title: "Ihre Rechnung bisher" }, headingLevel: 3, className: "card" });
  assert.equal(await tab.textContent("h3"), "Ihre Rechnung bisher");
  assert.equal(await tab.locator("h4").count(), 2);
  assert.equal(await tab.locator("section.svc-bill.card[aria-label='Ihre Rechnung bisher']").count(), 1);
  assert.match(await tab.locator(".svc-bill").innerText(), /Nothing has been used yet\.[^]*There are no allowances\./);
});

test("a failed refresh shows the age; a failed first fetch shows no bill; both can be tried again", async () => {
  await view(transparent);
  bill = (_, response) => problem(response, 500, "INTERNAL");
  await tab.evaluate(() => void 0);
  await new Promise((done) => setTimeout(done, 5_100)); // past the throttle of focus
  await focus();
  await tab.waitForSelector("[role=status] time");
  assert.match((await tab.textContent(".svc-bill-stale")) ?? "", /It is as of .*20\d\d/);
  assert.equal(await tab.locator(".svc-bill dl").count(), 1);
  await tab.goto("about:blank");
  await view(null);
  await tab.waitForSelector("[role=alert]");
  assert.equal(await tab.locator(".svc-bill dl").count(), 0);
  bill = (_, response) => answer(response, 200, opaque);
  await tab.click(".svc-bill-retry");
  await tab.waitForSelector(".svc-bill dl");
  assert.equal(await tab.locator("[role=alert]").count(), 0);
});

for (const scheme of ["light", "dark"] as const) {
  for (const [name, handler] of Object.entries({
    transparent: (_, response) => answer(response, 200, transparent),
    opaque: (_, response) => answer(response, 200, opaque),
    empty: (_, response) => answer(response, 200, empty),
    failed: (_, response) => problem(response, 500, "INTERNAL"),
    loading: () => {},
  } as { [name: string]: Handler })) {
    test(`axe finds nothing: ${name}, ${scheme}`, async () => {
      await tab.emulateMedia({ colorScheme: scheme });
      bill = handler;
      await open("component");
      await tab.waitForSelector(name === "loading" ? "[role=status]" : name === "failed" ? "[role=alert]" : ".svc-bill dl");
      await tab.evaluate(axe);
      const { violations, passes } = await tab.evaluate(() => (window as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[]; passes: { id: string }[] }> } }).axe.run());
      assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]), []);
      assert.ok(passes.some(({ id }) => id === "color-contrast"), "contrast was looked at");
    });
  }
}

test("it fits a phone: long amounts scroll in their table, and the page does not", async () => {
  await tab.setViewportSize({ width: 320, height: 640 });
  await view(transparent);
  const { page, width } = await tab.evaluate(() => ({ page: document.documentElement.scrollWidth, width: document.documentElement.clientWidth }));
  assert.ok(page <= width, `${page} > ${width}`);
});

test("colours are variables", async () => {
  await view(opaque);
  const style = () => tab.locator(".svc-bill").evaluate((section) => [getComputedStyle(section).color, getComputedStyle(section).borderRadius]);
  const before = await style();
  await tab.evaluate(() => {
    document.documentElement.style.setProperty("--svc-text", "rgb(1, 2, 3)");
    document.documentElement.style.setProperty("--svc-radius", "7px");
  });
  assert.deepEqual(await style(), ["rgb(1, 2, 3)", "7px"]);
  assert.notDeepEqual(before, await style());
});
