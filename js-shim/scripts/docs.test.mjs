// The docs hold: every example in them compiles, every link leads somewhere, and what they say of colours and limits is so.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const pages = [...readdirSync(`${root}docs/packages`).filter((name) => name.endsWith(".md")).map((name) => `docs/packages/${name}`), "docs/portal.md", "js-shim/backend/README.md", "js-shim/client/README.md"];
const text = (page) => readFileSync(root + page, "utf8");

/** What the examples take as given. */
const AMBIENT = `
declare const url: string, token: string, business: string, subject: string, requestId: string, secret: string;
declare function run(): Promise<{ ms: number }>;
declare function answer(status: number): void;
declare function sessionOf(request: Request): Promise<{ userId: string } | null>;
declare const app: import("hono").Hono;
declare module "*.css";
`;

test("every example compiles", () => {
  const folder = mkdtempSync(`${root}js-shim/.docs-`);
  try {
    let count = 0;
    for (const page of pages) {
      for (const [, language, code] of text(page).matchAll(/```(tsx?)\n([^]*?)```/g)) {
        const name = /^\/\/ product\/(\S+\.ts)$/m.exec(code)?.[1] ?? `example${count}.${language}`;
        writeFileSync(join(folder, name), `${code}\nexport {};\n`);
        count++;
      }
    }
    assert.ok(count >= 14, `only ${count} examples`);
    writeFileSync(join(folder, "ambient.d.ts"), AMBIENT);
    const compilerOptions = {
      target: "ES2022", module: "ESNext", moduleResolution: "Bundler", lib: ["ES2023", "DOM"], types: ["node", "react"], jsx: "react-jsx", strict: true, noEmit: true,
      skipLibCheck: true, allowImportingTsExtensions: true, typeRoots: ["../node_modules/@types"],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*"] }));
    try {
      execFileSync("npx", ["tsc", "-p", folder], { cwd: `${root}js-shim`, encoding: "utf8" });
    } catch (error) {
      assert.fail(error.stdout);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("every link leads somewhere", () => {
  const anchors = (page) => new Set([...readFileSync(page, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, title]) => title.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-")));
  for (const page of [...pages, ...["express-backend", "nextish", "frameworks"].map((name) => `examples/${name}/README.md`)]) {
    for (const [, target] of text(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [path, anchor] = target.split("#");
      const file = path === "" ? root + page : resolve(dirname(root + page), path);
      assert.ok(existsSync(file), `${page}: ${target}`);
      if (anchor !== undefined) assert.ok(anchors(file).has(anchor), `${page}: ${target}`);
    }
  }
});

test("the variables in the docs are those of the styles", () => {
  const css = text("js-shim/client/styles/bill-preview.css");
  const variables = (source) => [...new Set(source.match(/--svc-[a-z]+/g))].sort();
  assert.deepEqual(variables(text("docs/packages/client.md")), variables(css));
  for (const colour of text("docs/packages/client.md").match(/#[0-9a-f]{6}/g) ?? []) assert.ok(css.includes(colour), colour);
});
