// Lockstep: the packages, and the examples that use them, have one version.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, existsSync } from "node:fs";
import { test } from "node:test";
import { outOfStep, PACKAGES, PLACES, read } from "./lockstep.mjs";

const examples = new URL("../../examples/", import.meta.url);

test("all packages have the version of the workspace", () => {
  const { version, versions } = read();
  assert.match(version, /^\d+\.\d+\.\d+$/);
  assert.deepEqual(outOfStep(version, versions), []);
  assert.ok(Object.keys(versions).length >= PLACES.length + 4, "the packages name each other as peers");
});

test("the examples pin it", () => {
  const { version } = read();
  let pinned = 0;
  for (const name of readdirSync(examples)) {
    const file = new URL(`${name}/package.json`, examples);
    if (!existsSync(file)) continue;
    const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(file, "utf8"));
    const found = Object.entries({ ...dependencies, ...devDependencies }).filter(([dependency]) => Object.values(PACKAGES).includes(dependency));
    assert.deepEqual(outOfStep(version, Object.fromEntries(found.map(([dependency, range]) => [`examples/${name}: ${dependency}`, range]))), []);
    pinned += found.length;
  }
  assert.ok(pinned >= 5, `only ${pinned} pins`);
});

test("what is out of step is said in a sentence", () => {
  const [sentence] = outOfStep("1.2.3", { "js-shim/backend/package.json": "1.2.4" });
  assert.equal(sentence, "js-shim/backend/package.json says 1.2.4, but the packages are at 1.2.3 (js-shim/package.json): all @svc packages have one version; run `npm run set-version 1.2.3` in js-shim.");
  assert.equal(outOfStep("1.2.3", { a: "1.2.3", b: undefined }).length, 1);
});
