// The packages' unit tests once more, compiled as they are, under Deno: all but those that need better-sqlite3, which is a part of
// Node's, and a browser.

import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const NODE_ONLY = ["chaos.test.js", "sql.test.js", "browser.test.js"];
const files = ["backend", "client"].flatMap((folder) =>
  readdirSync(`${root}${folder}/test/dist`)
    .filter((name) => name.endsWith(".test.js") && !NODE_ONLY.includes(name))
    .map((name) => `${folder}/test/dist/${name}`),
);
if (files.length < 9) throw new Error(`only ${files.length} files of tests: run npm test first`);
const { status } = spawnSync(`${root}node_modules/.bin/deno`, ["test", "--allow-all", "--no-check", "--quiet", ...files], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
});
process.exit(status ?? 1);
