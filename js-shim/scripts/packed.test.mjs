// The packages as npm packs them, laid into a project of somebody else's: every entry loads, and its types hold under both ways of
// resolving modules, declarations checked too.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const workspace = fileURLToPath(new URL("../", import.meta.url));
const FOLDERS = { product: "@svc/product", backend: "@svc/backend", client: "@svc/client-js" };

test("packed, the packages load and type-check elsewhere", (context) => {
  const project = mkdtempSync(join(tmpdir(), "svc-packed-"));
  context.after(() => rmSync(project, { recursive: true }));
  const modules = join(project, "node_modules");
  mkdirSync(join(modules, "@svc"), { recursive: true });
  for (const shared of ["react", "react-dom", "@types"]) symlinkSync(join(workspace, "node_modules", shared), join(modules, shared));
  const entries = [];
  for (const [folder, name] of Object.entries(FOLDERS)) {
    const packed = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", project], { cwd: join(workspace, folder), encoding: "utf8" });
    const [{ filename }] = JSON.parse(packed);
    mkdirSync(join(modules, name));
    execFileSync("tar", ["-xzf", join(project, filename), "--strip-components=1", "-C", join(modules, name)]);
    const { exports } = JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8"));
    entries.push(...Object.keys(exports).filter((path) => !path.endsWith(".css")).map((path) => name + path.slice(1)));
  }
  assert.equal(entries.length, 12);
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  const importing = (names) => names.map((entry, index) => `import * as entry${index} from "${entry}";\nexport const names${index} = Object.keys(entry${index});`).join("\n");
  for (const [module, moduleResolution, types] of [["NodeNext", "NodeNext", ["node", "react"]], ["ESNext", "Bundler", ["react"]]]) {
    // A worker's project has no types of Node's, and needs none but for what is Node's own.
    const loaded = types.includes("node") ? entries : entries.filter((entry) => entry !== "@svc/backend/gateway/node");
    writeFileSync(join(project, "all.ts"), importing(loaded));
    const compilerOptions = { target: "ES2022", module, moduleResolution, lib: ["ES2023", "DOM"], types, strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["all.ts"] }));
    try {
      execFileSync(process.execPath, [join(workspace, "node_modules/typescript/bin/tsc"), "-p", project], { encoding: "utf8" });
    } catch (error) {
      assert.fail(`${moduleResolution}: ${error.stdout}`);
    }
  }
  // What tests of a product import is there for the editor; outside `svc test` it says so.
  const [testing, others] = [entries.filter((entry) => entry === "@svc/product/test"), entries.filter((entry) => entry !== "@svc/product/test")];
  assert.throws(() => execFileSync(process.execPath, ["--input-type=module", "-e", `await import("${testing[0]}")`], { cwd: project, stdio: "pipe" }), /which `svc test` runs/);
  const script = `for (const entry of ${JSON.stringify(others)}) if (Object.keys(await import(entry)).length === 0) throw new Error(entry);`;
  execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: project });
});
