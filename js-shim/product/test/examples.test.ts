// The example products: they type-check against the built package, and give one registry in both dialects.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { registryOf, runModule } from "./run.js";

const root = new URL("../../../", import.meta.url);
const examples = new URL("../../examples/", root);
const out = new URL("../examples/", import.meta.url);

async function bundle(example: string, legacy: boolean): Promise<URL> {
  const outfile = new URL(`${legacy ? "legacy" : "tc39"}/${example}.js`, out);
  await build({
    entryPoints: [fileURLToPath(new URL(`${example}/product/product.config.ts`, examples))],
    outfile: fileURLToPath(outfile),
    bundle: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    external: ["@svc/product"],
    tsconfigRaw: { compilerOptions: legacy ? { experimentalDecorators: true } : {} },
  });
  return outfile;
}

for (const example of ["croncloud", "tokens"]) {
  test(`example ${example} type-checks in both dialects`, () => {
    mkdirSync(out, { recursive: true });
    for (const experimentalDecorators of [false, true]) {
      const config = new URL(`tsconfig.${example}.json`, out);
      writeFileSync(
        config,
        JSON.stringify({
          extends: fileURLToPath(new URL(`${example}/tsconfig.json`, examples)),
          compilerOptions: {
            experimentalDecorators,
            types: [],
            paths: { "@svc/product": [fileURLToPath(new URL("dist/index.d.ts", root))] },
          },
          include: [fileURLToPath(new URL(`${example}/product`, examples))],
        }),
      );
      const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
      const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", fileURLToPath(config)], { encoding: "utf8" });
      assert.equal(status, 0, stdout);
    }
  });

  test(`example ${example} gives the same registry in both dialects`, async () => {
    const legacy = runModule(await bundle(example, true), "default", "record");
    const tc39 = runModule(await bundle(example, false), "default", "throw");
    assert.deepEqual(legacy, tc39);
    const registry = registryOf(legacy);
    assert.deepEqual(registry.misuses, []);
    assert.equal(registry.products, 1);
    assert.ok(!legacy.text?.includes("$odd"));
    for (const { decorator, args } of registry.declarations ?? []) {
      if (decorator !== "Plan") continue;
      const { limits } = args[1] as { limits: Record<string, { rate?: number }> };
      assert.ok(Object.values(limits).some((limit) => limit.rate !== undefined));
    }
  });
}

test("example croncloud uses every decorator", async () => {
  const { declarations } = registryOf(runModule(await bundle("croncloud", true), "default", "record"));
  const used = new Set(declarations?.map((d) => d.decorator));
  assert.deepEqual([...used].sort(), [
    "Backend", "Capability", "Entitlement", "Feature", "Frontend", "Meter", "Plan", "Policy", "Product", "Raw",
    "Requests", "Resource", "Surface", "Workflow",
  ]);
});
