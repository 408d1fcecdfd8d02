// What `svc init` writes, as its author has it: `npm install` with no package of ours on any registry, the type check, the build and the
// tests of the project pass as they are; packages of another version are said so, and made right by the command that is told.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { test } from "node:test";
import { PACKAGES, read } from "./lockstep.mjs";
import { binary, skip } from "./running.mjs";

const { version } = read();

function workshop(context) {
  const folder = mkdtempSync(join(tmpdir(), "svc-init-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** npm for a project, whose registry has nothing of ours: whoever asks it for such a package fails. */
function npm(cwd, ...args) {
  const began = Date.now();
  const path = [dirname(binary), process.env.PATH].join(delimiter);
  const { NODE_TEST_CONTEXT: _, ...outside } = process.env; // its tests are no part of this one
  const env = { ...outside, PATH: path, npm_config_prefer_offline: "true", npm_config_audit: "false", npm_config_fund: "false", "npm_config_@svc:registry": "http://127.0.0.1:9/" };
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd, env, encoding: "utf8" });
  assert.equal(status, 0, `npm ${args.join(" ")}\n${stdout}${stderr}`);
  // npm tries for more than a minute before it gives up on a registry that is not there.
  assert.ok(Date.now() - began < 60_000, `npm ${args.join(" ")} asked a registry for a package of ours`);
  return stdout;
}

test("a new project installs, type-checks, builds and passes its tests, in an existing folder too", { skip }, (context) => {
  const folder = join(workshop(context), "cron-jobs");
  mkdirSync(folder);
  writeFileSync(join(folder, "README.md"), "mine");
  execFileSync(binary, ["init"], { cwd: folder });
  assert.equal(readFileSync(join(folder, "README.md"), "utf8"), "mine");
  assert.equal(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).name, "cron-jobs");
  npm(folder, "install");
  npm(folder, "run", "check");
  assert.match(npm(folder, "test"), /pass 1\b/);
  // The other packages are at hand too, and load.
  for (const name of ["backend", "client-js"]) npm(folder, "install", `./.svc/packages/svc-${name}-${version}.tgz`);
  for (const name of Object.values(PACKAGES)) {
    execFileSync(process.execPath, ["--input-type=module", "-e", `await import(${JSON.stringify(name)})`], { cwd: folder });
    assert.equal(JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")).version, version);
  }
  npm(folder, "run", "check");
  // From the lock alone, as others install it.
  npm(folder, "ci");
  assert.equal(spawnSync(binary, ["packages"], { cwd: folder }).status, 0);
});

test("what is out of lockstep is told, and the command that is told makes it right", { skip }, (context) => {
  const folder = workshop(context);
  execFileSync(binary, ["init"], { cwd: folder });
  const manifest = join(folder, "package.json");
  const json = JSON.parse(readFileSync(manifest, "utf8"));
  json.devDependencies = { "@svc/product": "file:.svc/packages/svc-product-0.0.1.tgz" };
  writeFileSync(manifest, JSON.stringify(json));
  const { status, stderr } = spawnSync(binary, ["packages"], { cwd: folder, encoding: "utf8" });
  assert.equal(status, 1);
  const [, command] = /run `npm ([^`]+)`/.exec(stderr) ?? assert.fail(stderr);
  npm(folder, ...command.split(" "));
  assert.equal(spawnSync(binary, ["packages"], { cwd: folder }).status, 0);
});

test("the tarballs are what npm packs, the same each time", { skip }, (context) => {
  const [one, two] = [workshop(context), workshop(context)];
  for (const [folder, name] of Object.entries(PACKAGES)) {
    const file = `${name.slice(1).replace("/", "-")}-${version}.tgz`;
    for (const dir of [one, two]) execFileSync(binary, ["packages", dir]);
    const packed = join(one, ".svc/packages", file);
    assert.deepEqual(readFileSync(packed), readFileSync(join(two, ".svc/packages", file)));
    const list = (archive) => execFileSync("tar", ["-tzf", archive], { encoding: "utf8" }).split("\n").sort();
    const cwd = new URL(`../${folder}/`, import.meta.url);
    const [{ filename }] = JSON.parse(execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", one], { cwd, encoding: "utf8" }));
    assert.deepEqual(list(packed), list(join(one, filename)));
  }
});
