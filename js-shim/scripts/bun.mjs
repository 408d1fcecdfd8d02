// The packages' unit tests once more, compiled as they are, under Bun, where its binary is there: all but those that need better-sqlite3,
// which is a part of Node's, and a browser. Each file runs alone, as under Node.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { files } from "./unit-tests.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const bun = `${root}node_modules/@oven/bun-linux-x64/bin/bun`;
if (!existsSync(bun)) {
  console.log("there is no Bun for this machine");
  process.exit(0);
}
for (const file of files()) {
  const { status } = spawnSync(bun, ["test", `./${file}`], { cwd: root, stdio: "inherit", env: { ...process.env, NO_COLOR: "1" } });
  if (status !== 0) process.exit(status ?? 1);
}
