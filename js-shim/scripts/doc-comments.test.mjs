// Every option that a caller of the packages can write has a doc comment with an example.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("../", import.meta.url));

/** Types that callers only read: what they get back, and the structure of others' objects. */
const READ = /^Node|Event$|Events$|^Flushed$|^Usage$|^Svc$|^Hold$|^Fixed|^Entry$|^Peek|^Outbox$|Outbox$|Client$|Database$|^BillPreviewResult$|Labels$|Decorator$|^Addition$|^Verified$|^Asked$/;
/** Where the options are, by package. */
const FILES = {
  product: ["src/options.ts"],
  backend: ["src/options.ts", "src/holds.ts", "src/outbox/memory.ts", "src/outbox/journal/index.ts", "src/outbox/sql/pg.ts", "src/outbox/sql/sqlite.ts", "src/gateway/index.ts"],
  client: ["src/svc.ts", "src/money.ts", "src/react/provider.ts", "src/react/use-bill-preview.ts", "src/react/bill-preview.tsx", "src/server/portal.ts"],
};
/** What needs no words of its own. */
const PLAIN = new Set(["children"]);

/** The options of a file's types, with their comments. */
function options(file) {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ES2022, true);
  const found = [];
  const visit = (node, type) => {
    if ((ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) && !READ.test(node.name.text)) type = node.name.text;
    else if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isPropertySignature(node) && type !== undefined && node.type?.kind !== ts.SyntaxKind.NeverKeyword) {
      const comment = source.text.slice(node.getFullStart(), node.getStart());
      if (node.parent.parent.kind !== ts.SyntaxKind.PropertySignature && !PLAIN.has(node.name.getText())) found.push({ name: `${type}.${node.name.getText()}`, comment });
      return; // what stands inside an option is told by the option's example
    }
    ts.forEachChild(node, (child) => visit(child, type));
  };
  visit(source, undefined);
  return found;
}

for (const [folder, files] of Object.entries(FILES)) {
  test(`${folder}: every option has a doc comment with an example`, () => {
    const all = files.flatMap((file) => options(`${root}${folder}/${file}`));
    const bare = all.filter(({ comment }) => !/\/\*\*[^]*(```|Example: `)[^]*\*\//.test(comment)).map(({ name }) => name);
    assert.deepEqual(bare, []);
    assert.ok(all.length >= { product: 110, backend: 30, client: 20 }[folder], `${all.length} options`);
  });
}

test("no file that exports options is forgotten", () => {
  for (const [folder, files] of Object.entries(FILES)) {
    const sources = readdirSync(`${root}${folder}/src`, { recursive: true }).map(String).filter((name) => /\.tsx?$/.test(name));
    const exporting = sources.filter((name) => /export interface \w*(Options|Props)\b/.test(readFileSync(`${root}${folder}/src/${name}`, "utf8")));
    const inner = ["sender.ts", "server/tokens.ts"]; // between files of the package
    assert.deepEqual(exporting.filter((name) => !inner.includes(name) && !files.includes(`src/${name}`)), [], folder);
  }
});
