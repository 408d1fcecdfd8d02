// "From `svc init` to a bill in the browser in ten minutes": every command of docs/portal.md, in its order, in one shell, and then the page.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { binary, skip } from "./running.mjs";

const page = readFileSync(new URL("../../docs/portal.md", import.meta.url), "utf8");
const DOCUMENTED_URL = "http://127.0.0.1:8787";

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

test("ten minutes, from nothing to a bill", { skip }, async (context) => {
  const commands = [...page.matchAll(/```sh\n([^]*?)```/g)].map(([, block]) => block);
  assert.ok(commands.length >= 5 && commands.at(-1).includes("svc portal link"), "the commands are there");
  const folder = mkdtempSync(join(tmpdir(), "svc-minutes-"));
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const port = await freePort();
  // The machine's own port may be taken, and it may have no sandbox.
  writeFileSync(join(bin, "svc"), `#!/bin/sh\nif [ "$1" = serve ]; then shift; exec '${binary}' serve --listen 127.0.0.1:${port} --allow-unsandboxed "$@"; fi\nexec '${binary}' "$@"\n`);
  chmodSync(join(bin, "svc"), 0o755);
  const url = `http://127.0.0.1:${port}`;
  const { NODE_TEST_CONTEXT: _, ...outside } = process.env;
  const env = { ...outside, PATH: [bin, process.env.PATH].join(delimiter), SVC_URL: url, npm_config_prefer_offline: "true", npm_config_audit: "false", npm_config_fund: "false", "npm_config_@svc:registry": "http://127.0.0.1:9/" };
  const shell = spawn("bash", ["-euo", "pipefail", "-c", commands.join("\n").replaceAll(DOCUMENTED_URL, url)], { cwd: folder, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  context.after(() => {
    try {
      process.kill(-shell.pid, "SIGTERM"); // the service, which the shell has left running
    } catch {} // it has ended by itself
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });
  let [said, complained] = ["", ""];
  shell.stdout.on("data", (data) => (said += data));
  shell.stderr.on("data", (data) => (complained += data));
  // The service holds the shell's output open: the shell's own end is what counts.
  const status = await new Promise((done) => shell.on("exit", done));
  await new Promise((done) => setTimeout(done, 100));
  assert.equal(status, 0, `${said}\n${complained}`);
  assert.match(said, /pass 1\b/);
  const link = said.trim().split("\n").at(-1);
  assert.ok(link.startsWith(`${url}/portal/`), link);

  const executablePath = execFileSync("bash", [fileURLToPath(new URL("../../scripts/chromium/ensure.sh", import.meta.url))], { encoding: "utf8" }).trim();
  const browser = await chromium.launch({ executablePath, args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"] });
  context.after(() => browser.close());
  const tab = await browser.newPage();
  await tab.goto(link);
  const words = (await tab.locator("body").innerText()).replace(/\s+/g, " ");
  for (const part of ["Ada's jobs", "Owed for usage $0.21", "Recurring fee $19.00"]) assert.ok(words.includes(part), `${part}\n${words}`);
});
