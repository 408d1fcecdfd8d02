// What other programs carry of the packages, built and checked in, so that building them needs no npm: the packages' files for `svc init` and
// `svc packages`, and the script of the portal's page. `node scripts/carried.mjs` writes them; carried.test.mjs fails where they are not
// what the sources build to.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { PACKAGES } from "./lockstep.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** The folders that hold nothing else. */
const FOLDERS = ["server/cli/src/packages/carried", "server/api/src/portal_page/assets"];
/** The list of the packages' files, as the command line includes them. */
const LIST = "server/cli/src/packages/carried.rs";
/** Browsers that the portal's page is made for; others have the page without its script. */
const BROWSERS = "es2022";

/** Every file that is carried, by its path below the repository. */
export function carried() {
  return { ...packages(), ...page() };
}

function packages() {
  const files = {};
  const list = [];
  for (const [folder, name] of Object.entries(PACKAGES)) {
    const cwd = join(root, "js-shim", folder);
    const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd, encoding: "utf8" });
    const paths = JSON.parse(output)[0].files.map(({ path }) => path).sort();
    for (const path of paths) files[`${FOLDERS[0]}/${folder}/${path}`] = readFileSync(join(cwd, path), "utf8");
    const manifest = `${FOLDERS[0]}/${folder}/package.json`;
    files[manifest] = withoutOurPeers(files[manifest]);
    const entries = paths.map((path) => `        ("${path}", include_str!("carried/${folder}/${path}")),\n`);
    list.push(`    ("${name}", &[\n${entries.join("")}    ]),\n`);
  }
  files[LIST] = `//! The packages' files, as \`npm pack\` chooses them. Written by \`node js-shim/scripts/carried.mjs\`.

/// Each package's name, and its files by path.
#[rustfmt::skip]
pub(super) const FILES: &[(&str, &[(&str, &str)])] = &[
${list.join("")}];
`;
  return files;
}

/**
 * A manifest that names none of our packages as a peer: npm asks its registry for optional peers too, where there are none of ours. That
 * carried packages are in lockstep is for `svc packages` to say.
 */
function withoutOurPeers(text) {
  const manifest = JSON.parse(text);
  for (const member of ["peerDependencies", "peerDependenciesMeta"]) {
    const others = Object.entries(manifest[member] ?? {}).filter(([name]) => !name.startsWith("@svc/"));
    if (others.length > 0) manifest[member] = Object.fromEntries(others);
    else delete manifest[member];
  }
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function page() {
  const entry = join(root, "js-shim/client/page/index.ts");
  const { outputFiles } = buildSync({ entryPoints: [entry], bundle: true, format: "esm", target: BROWSERS, legalComments: "none", write: false, logLevel: "warning" });
  return { [`${FOLDERS[1]}/portal.js`]: outputFiles[0].text };
}

/** What is checked in, of the same form. */
export function checkedIn() {
  const files = {};
  for (const folder of FOLDERS.filter((folder) => existsSync(join(root, folder)))) {
    for (const path of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!path.isFile()) continue;
      const file = join(path.parentPath ?? path.path, path.name).slice(root.length);
      files[file] = readFileSync(join(root, file), "utf8");
    }
  }
  files[LIST] = existsSync(join(root, LIST)) ? readFileSync(join(root, LIST), "utf8") : "";
  return files;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = carried();
  for (const old of Object.keys(checkedIn())) if (!(old in files)) rmSync(join(root, old));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  console.log(`${Object.keys(files).length} files`);
}
