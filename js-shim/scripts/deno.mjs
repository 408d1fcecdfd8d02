// The packages' unit tests once more, compiled as they are, under Deno: all but those that need better-sqlite3, which is a part of
// Node's, and a browser.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { files } from "./unit-tests.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const { status } = spawnSync(`${root}node_modules/.bin/deno`, ["test", "--allow-all", "--no-check", "--quiet", ...files()], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
});
process.exit(status ?? 1);
