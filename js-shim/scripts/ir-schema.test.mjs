// Every golden IR fits the JSON Schema of the IR, by a validator that is not the program's own.
import Ajv2020 from "ajv/dist/2020.js";
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../../", import.meta.url);
const schema = JSON.parse(readFileSync(new URL("docs/manifest.schema.json", root), "utf8"));
// The schema names Rust's number formats, which say nothing that its bounds do not.
const validate = new Ajv2020({ strict: true, allErrors: true, formats: { uint32: true, uint16: true, uint64: true, int64: true, uint: true, double: true, uri: true } }).compile(schema);

/** The golden IRs of a folder, as `[name, IR]`. */
function golden(folder) {
  const at = new URL(`tests/golden/${folder}/`, root);
  const files = readdirSync(at).filter((name) => name.endsWith(".ir.json"));
  return files.map((name) => [name, JSON.parse(readFileSync(new URL(name, at), "utf8"))]);
}

for (const folder of ["examples", "valid"]) {
  test(`golden IRs in ${folder} fit the schema`, () => {
    const all = golden(folder);
    assert.ok(all.length > 1);
    for (const [name, ir] of all) assert.ok(validate(ir), `${name}: ${JSON.stringify(validate.errors, null, 2)}`);
  });
}

test("a damaged IR does not fit", () => {
  const [[, ir]] = golden("examples");
  for (const damage of [{ irVersion: "1" }, { plans: {} }, { surprise: 1 }, { routes: [{ method: "get" }] }]) {
    assert.ok(!validate({ ...ir, ...damage }), JSON.stringify(damage));
  }
});
