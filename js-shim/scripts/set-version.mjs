// `npm run set-version 0.2.0`: puts one version everywhere, also into the examples and the lock.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PLACES } from "./lockstep.mjs";

const version = process.argv[2] ?? "";
if (!/^\d+\.\d+\.\d+$/.test(version)) {
  console.error("usage: npm run set-version 1.2.3");
  process.exit(2);
}
const root = fileURLToPath(new URL("../", import.meta.url));
const examples = fileURLToPath(new URL("../../examples/", import.meta.url));

function rewrite(file, change) {
  const text = readFileSync(file, "utf8");
  const changed = change(text);
  if (changed !== text) writeFileSync(file, changed);
}

rewrite(`${root}package.json`, (text) => text.replace(/("version": ")[^"]+/, `$1${version}`));
for (const { file, find } of PLACES) {
  rewrite(root + file, (text) => text.replace(find, (line, old) => line.replace(old, version)));
}
const pins = (text) => text.replace(/("@svc\/(?:product|backend|client-js)": ")[^"]+/g, `$1${version}`);
for (const folder of ["product", "backend", "client"]) rewrite(`${root}${folder}/package.json`, pins);
for (const name of readdirSync(examples)) {
  const file = `${examples}${name}/package.json`;
  if (existsSync(file)) rewrite(file, pins);
}
execFileSync("npm", ["install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: root, stdio: "inherit" });
