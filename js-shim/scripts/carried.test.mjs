// What the binary and the portal's page carry is what the sources build to.

import assert from "node:assert/strict";
import { test } from "node:test";
import { carried, checkedIn } from "./carried.mjs";

test("what is carried is what the packages build to", () => {
  const [built, kept] = [carried(), checkedIn()];
  const differ = [...new Set([...Object.keys(built), ...Object.keys(kept)])].filter((file) => built[file] !== kept[file]);
  assert.deepEqual(differ, [], "run `make carried`, and read the diff");
  assert.ok(Object.keys(built).length > 100);
});
