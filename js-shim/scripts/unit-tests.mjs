// The packages' compiled unit tests that run everywhere.

import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const NODE_ONLY = ["chaos.test.js", "sql.test.js", "browser.test.js"];

/** Their paths below js-shim. */
export function files() {
  const found = ["backend", "client"].flatMap((folder) =>
    readdirSync(`${root}${folder}/test/dist`)
      .filter((name) => name.endsWith(".test.js") && !NODE_ONLY.includes(name))
      .map((name) => `${folder}/test/dist/${name}`),
  );
  if (found.length < 9) throw new Error(`only ${found.length} files of tests: run npm test first`);
  return found;
}
