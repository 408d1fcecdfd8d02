// `node link-example.mjs NAME`: gives an example of this repository its dependencies from the workspace, in place of `npm install`,
// since the @svc packages of a checkout are on no registry.

import { mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const workspace = fileURLToPath(new URL("../", import.meta.url));

export function linkExample(name) {
  const folder = join(workspace, "../examples", name);
  const modules = join(folder, "node_modules");
  rmSync(modules, { recursive: true, force: true });
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  for (const dependency of Object.keys({ ...dependencies, ...devDependencies })) {
    const link = join(modules, dependency);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(workspace, "node_modules", dependency), link);
  }
  mkdirSync(join(modules, ".bin"), { recursive: true });
  for (const tool of ["tsc", "esbuild"]) symlinkSync(join(workspace, "node_modules/.bin", tool), join(modules, ".bin", tool));
  return folder;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) linkExample(process.argv[2] ?? "");
