// The registries of products under plain Node, in both decorator dialects, for comparison with the isolate's.
// Reads { name: { path: text } } from standard input; writes { name: { legacy: registry, tc39: registry } }.
// Uses the package's own sources and the esbuild of its development dependencies.
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const packageFolder = join(here, "../../js-shim/product");
const { buildSync } = createRequire(join(packageFolder, "package.json"))("esbuild");

const scratch = mkdtempSync(join(tmpdir(), "svc-differential-"));
const dialects = { legacy: { experimentalDecorators: true }, tc39: {} };

/** One bundle a product and dialect, each with a package of its own: the package counts products. */
async function registryOf(name, folder, dialect) {
  const outfile = join(folder, `${dialect}.mjs`);
  buildSync({
    stdin: {
      contents: [
        `import "svc-record";`,
        `import * as product from "./product/product.config.ts";`,
        `import { readRegistry } from "@svc/product/registry";`,
        `export default readRegistry(product.default);`,
      ].join("\n"),
      resolveDir: folder,
    },
    alias: {
      "svc-record": join(scratch, "record.ts"),
      "@svc/product/registry": join(packageFolder, "src/registry.ts"),
      "@svc/product": join(packageFolder, "src/index.ts"),
    },
    bundle: true,
    format: "esm",
    target: "es2022",
    keepNames: true,
    logLevel: "error",
    outfile,
    tsconfigRaw: { compilerOptions: { ...dialects[dialect], useDefineForClassFields: true } },
  });
  return (await import(pathToFileURL(outfile).href)).default;
}

try {
  writeFileSync(join(scratch, "record.ts"), `import { recordInsteadOfThrow } from "@svc/product/registry";\nrecordInsteadOfThrow();\n`);
  const cases = JSON.parse(readFileSync(0, "utf8"));
  const registries = {};
  for (const [name, files] of Object.entries(cases)) {
    const folder = join(scratch, name);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    registries[name] = { legacy: await registryOf(name, folder, "legacy"), tc39: await registryOf(name, folder, "tc39") };
  }
  process.stdout.write(JSON.stringify(registries));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
