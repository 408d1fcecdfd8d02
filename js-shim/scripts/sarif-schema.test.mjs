// What `svc check --format sarif` writes fits the published schema, by a validator that is not the program's own.
import Ajv from "ajv";
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../../", import.meta.url);
// The schema as OASIS and schemastore.org publish it, in JSON Schema's draft 4. It uses nothing of that draft that later ones read
// otherwise, but for the names of these two members.
const { $schema: _draft, id, ...rest } = JSON.parse(readFileSync(new URL("tests/schemas/sarif-2.1.0-rtm.5.json", root), "utf8"));
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false, formats: { uri: true, "uri-reference": true, "date-time": true } });
const validate = ajv.compile({ ...rest, $id: id });
const folder = new URL("tests/golden/sarif/", root);
const logs = readdirSync(folder).map((name) => [name, JSON.parse(readFileSync(new URL(name, folder), "utf8"))]);

test("golden logs fit the schema of SARIF 2.1.0", () => {
  assert.ok(logs.length > 2);
  for (const [name, log] of logs) assert.ok(validate(log), `${name}: ${JSON.stringify(validate.errors, null, 2)}`);
});

test("a damaged log does not fit", () => {
  const [, log] = logs.find(([, log]) => log.runs[0].results.length > 0);
  const [run] = log.runs;
  const [result] = run.results;
  const damaged = [
    { ...log, version: "2.0.0" },
    { ...log, runs: [{ ...run, tool: {} }] },
    { ...log, runs: [{ ...run, results: [{ ...result, level: "fatal" }] }] },
    { ...log, runs: [{ ...run, results: [{ ...result, message: "text" }] }] },
    { ...log, runs: [{ ...run, columnKind: "bytes" }] },
  ];
  for (const log of damaged) assert.ok(!validate(log), JSON.stringify(log).slice(0, 200));
});
