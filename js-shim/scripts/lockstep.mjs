// One version for all packages: js-shim/package.json has it, and everything else says the same. Pure, but for `read`.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const PACKAGES = { product: "@svc/product", backend: "@svc/backend", client: "@svc/client-js" };

const root = new URL("../", import.meta.url);
/** Every place that names a version; `find` cuts it out. */
export const PLACES = [
  ...Object.keys(PACKAGES).map((folder) => ({ file: `${folder}/package.json`, find: /"version": "([^"]+)"/ })),
  { file: "backend/src/version.ts", find: /VERSION = "([^"]+)"/ },
  { file: "client/src/version.ts", find: /VERSION = "([^"]+)"/ },
  { file: "product/src/registry.ts", find: /SDK_VERSION = "([^"]+)"/ },
];

/** What is out of step, a sentence each; empty where all is well. `versions` maps a place to the version it names. */
export function outOfStep(version, versions) {
  return Object.entries(versions)
    .filter(([, found]) => found !== version)
    .map(([place, found]) => `${place} says ${found ?? "no version"}, but the packages are at ${version} (js-shim/package.json): all @svc packages have one version; run \`npm run set-version ${version}\` in js-shim.`);
}

/** The version, and what each place says. */
export function read() {
  const text = (file) => readFileSync(fileURLToPath(new URL(file, root)), "utf8");
  const { version } = JSON.parse(text("package.json"));
  const versions = {};
  for (const { file, find } of PLACES) versions[`js-shim/${file}`] = find.exec(text(file))?.[1];
  for (const folder of Object.keys(PACKAGES)) {
    const { name, peerDependencies = {} } = JSON.parse(text(`${folder}/package.json`));
    for (const [peer, range] of Object.entries(peerDependencies)) {
      if (peer.startsWith("@svc/")) versions[`${name}'s peer ${peer}`] = range;
    }
  }
  return { version, versions };
}
