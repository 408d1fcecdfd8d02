// A client's types come out of the API's document, and a program that uses them type-checks: what the service answers can be used
// as it is, and what it does not take is an error in the editor.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const root = fileURLToPath(new URL("../..", import.meta.url));
const here = fileURLToPath(new URL("..", import.meta.url));

const CLIENT = `
import createClient from "openapi-fetch";
import type { paths } from "./api";

const api = createClient<paths>({ baseUrl: "http://127.0.0.1:8787" });

export async function bill(business: string, token: string): Promise<string> {
  const { data, error } = await api.GET("/portal/businesses/{business}/me/bill-preview", {
    params: { path: { business } },
    headers: { authorization: \`Bearer \${token}\` },
  });
  if (!data) throw new Error(error.code);
  return data.disclosure === "transparent" ? data.totals.ratedNanos : "opaque";
}

export async function report(business: string): Promise<number> {
  const { data } = await api.POST("/v1/businesses/{business}/usage", {
    params: { path: { business } },
    body: { items: [{ id: "1", subject: "ada", meter: "compute_ms", units: "0.25" }] },
  });
  return data?.results.filter((result) => result.status === "accepted").length ?? 0;
}
`;

/** What a program of this text is told by the compiler. */
async function told(text) {
  const folder = mkdtempSync(join(here, "node_modules", ".openapi-"));
  try {
    const api = await openapiTS(readFileSync(join(root, "docs/openapi.json"), "utf8"));
    writeFileSync(join(folder, "api.d.ts"), astToString(api));
    writeFileSync(join(folder, "client.ts"), text);
    const options = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
      lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    };
    const program = ts.createProgram([join(folder, "client.ts")], options);
    return ts.getPreEmitDiagnostics(program).map((problem) => ts.flattenDiagnosticMessageText(problem.messageText, "\n"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a client of the document type-checks", async () => {
  assert.deepEqual(await told(CLIENT), []);
});

test("what the service does not take is an error in the editor", async () => {
  for (const [right, wrong, said] of [
    ['"/v1/businesses/{business}/usage"', '"/v1/businesses/{business}/usages"', /usages/],
    ['meter: "compute_ms"', "meter: 5", /number/],
    ["data.totals.ratedNanos", "data.totals.ratedNanos * 2", /arithmetic/],
    ["subject: \"ada\", ", "", /subject/],
  ]) {
    assert.ok(CLIENT.includes(right));
    const problems = await told(CLIENT.replace(right, wrong));
    assert.match(problems.join("\n"), said, `${wrong}: ${problems}`);
  }
});
