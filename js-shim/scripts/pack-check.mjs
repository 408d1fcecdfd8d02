// Run in a package's folder after its build: checks what `npm pack` would put into it (each module with its types, styles, README, LICENSE),
// that every export is among that, and that nothing outside the package is needed at run time.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { encoding: "utf8" });
const [{ files }] = JSON.parse(output);
const packed = files.map((file) => file.path).sort();

const exported = Object.values(manifest.exports)
  .flatMap((entry) => (typeof entry === "string" ? [entry] : Object.values(entry)))
  .map((target) => target.slice(2));
for (const target of exported) assert.ok(packed.includes(target), `${target} is exported but not packed`);

const sources = readdirSync("src", { recursive: true }).map(String).filter((name) => /\.tsx?$/.test(name));
const built = sources.flatMap((name) => [".js", ".d.ts"].map((ending) => `dist/${name.replace(/\.tsx?$/, ending)}`));
// Beside what is built there is what is written by hand and exported: `@svc/product/test` has no source of its own.
const expected = [...built, ...exported];
const rest = packed.filter((path) => !expected.includes(path) && !/^LICENSE(-MIT|-APACHE)?$/.test(path) && !path.startsWith("styles/"));
assert.deepEqual(rest, ["README.md", "package.json"]);
assert.deepEqual(expected.filter((path) => !packed.includes(path)), []);

assert.deepEqual(Object.keys(manifest.dependencies ?? {}), [], "no dependencies at run time");
const peers = Object.keys(manifest.peerDependencies ?? {});
for (const peer of peers) assert.equal(manifest.peerDependenciesMeta?.[peer]?.optional, true, `the peer ${peer} is optional`);
for (const path of packed.filter((path) => path.endsWith(".js"))) {
  for (const [, specifier] of readFileSync(path, "utf8").matchAll(/(?:from|import) "([^"]+)"/g)) {
    const name = specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
    assert.ok(specifier.startsWith(".") || isBuiltin(specifier) || peers.includes(name), `${path} imports ${specifier}`);
  }
}
process.stdout.write(`${manifest.name}@${manifest.version}: ${packed.length} files, as they should be\n`);
