// Checks what `npm pack` would put into the package: ESM, its types, README, LICENSE, and nothing else.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: root, encoding: "utf8" });
const [{ files }] = JSON.parse(output) as [{ files: { path: string }[] }];
const packed = files.map((file) => file.path).sort();

const modules = readdirSync(`${root}/src`).map((name) => name.replace(/\.ts$/, ""));
const expected = modules.flatMap((name) => [`dist/${name}.js`, `dist/${name}.d.ts`]);
const rest = packed.filter((path) => !expected.includes(path) && !/^LICENSE(-MIT|-APACHE)?$/.test(path));
assert.deepEqual(rest, ["README.md", "package.json", "testing/index.d.ts", "testing/index.js"]);
assert.deepEqual(expected.filter((path) => !packed.includes(path)), []);
process.stdout.write(`${packed.join("\n")}\n${packed.length} files, as they should be\n`);
