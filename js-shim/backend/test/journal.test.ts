// The file journal: what is in it after any crash, and who may write it.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { fixItem } from "@svc/backend";
import { journalOutbox } from "@svc/backend/journal";
import { until } from "./service.js";
import { crc32, encode, ranges, scan } from "#dist/outbox/journal/record.js";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-journal-"));
  path = join(folder, "usage.journal");
});
afterEach(() => rmSync(folder, { recursive: true }));

const fixed = (n: number, padding = "") => fixItem({ id: `i${n}`, subject: "ü", route: `GET /${padding}`, status: 200 });
const all = { items: 1_000_000, bytes: Infinity };
const ids = (entries: readonly { text: string }[] | null) => entries?.map(({ text }) => (JSON.parse(text) as { id: string }).id);

test("items are there again after it was opened anew, without what was removed", async () => {
  const one = await journalOutbox({ path });
  for (let n = 0; n < 5; n++) await one.add([fixed(n)]);
  await one.remove((await one.peek(all))?.filter((_, index) => index === 1 || index === 3) ?? []);
  assert.deepEqual(ids(await one.peek(all)), ["i0", "i2", "i4"]);
  await one.close();
  const two = await journalOutbox({ path });
  assert.deepEqual(ids(await two.peek(all)), ["i0", "i2", "i4"]);
  assert.equal(await two.size(), 3);
  await two.add([fixed(9)]);
  assert.deepEqual(ids(await two.peek({ items: 2, bytes: Infinity })), ["i0", "i2"]);
  assert.deepEqual(ids(await two.peek({ items: 9, bytes: 1 })), ["i0"]);
  assert.equal(await two.last(), 6);
  await two.close();
});

test("a report resolves only when its bytes are in the file", async () => {
  const outbox = await journalOutbox({ path });
  for (let n = 0; n < 20; n++) {
    await outbox.add([fixed(n)]);
    assert.ok(readFileSync(path, "utf8").includes(`i${n}\\`));
  }
  await Promise.all(Array.from({ length: 100 }, (_, n) => outbox.add([fixed(100 + n)])));
  assert.equal(await outbox.size(), 120);
  const lines = readFileSync(path, "utf8").trimEnd().split("\n").length;
  assert.ok(lines < 40, `reports at one moment share a record: ${lines}`);
  await outbox.close();
});

test("cut at any byte, it opens with every record that was whole", async () => {
  const whole: Buffer[] = [];
  const outbox = await journalOutbox({ path });
  for (let n = 0; n < 4; n++) {
    await outbox.add([fixed(n), fixed(10 + n)]);
    whole.push(readFileSync(path));
  }
  const text = readFileSync(path);
  await outbox.close();
  for (let bytes = 0; bytes <= text.length; bytes++) {
    writeFileSync(path, text.subarray(0, bytes));
    const torn = await journalOutbox({ path });
    const records = whole.filter((before) => before.length <= bytes).length;
    assert.equal(await torn.size(), records * 2, `cut at ${bytes}`);
    assert.equal(statSync(path).size, whole[records - 1]?.length ?? 0, "the torn end is gone from the file");
    // What is written after the cut is read again.
    await torn.add([fixed(99)]);
    await torn.close();
    const again = await journalOutbox({ path });
    assert.equal(await again.size(), records * 2 + 1, `cut at ${bytes}, then written`);
    await again.close();
  }
});

test("a tail of garbage is cut; damage before whole records is refused", async () => {
  const outbox = await journalOutbox({ path });
  await outbox.add([fixed(1)]);
  await outbox.add([fixed(2)]);
  await outbox.close();
  const text = readFileSync(path);
  writeFileSync(path, Buffer.concat([text, Buffer.alloc(4_096)])); // what some file systems leave after a power cut
  const zeros = await journalOutbox({ path });
  assert.equal(await zeros.size(), 2);
  await zeros.close();
  const damaged = Buffer.from(text);
  damaged[20]! ^= 1;
  writeFileSync(path, damaged);
  await assert.rejects(journalOutbox({ path }), { code: "JOURNAL_CORRUPT" });
  assert.ok(!existsSync(`${path}.lock`), "a journal that did not open is not locked");
});

test("it has one writer", async () => {
  const one = await journalOutbox({ path });
  await assert.rejects(journalOutbox({ path }), { code: "JOURNAL_LOCKED" });
  await one.close();
  const two = await journalOutbox({ path });
  await two.close();
  assert.ok(!existsSync(`${path}.lock`));
});

test("the lock of a process that is gone, or whose number another has now, is taken over", async () => {
  const born = readFileSync("/proc/self/stat", "utf8");
  for (const holder of ["999999999 5\n", `${process.pid} 1\n`, `${process.ppid} 1\n`, "", "12", "nonsense\n"]) {
    writeFileSync(`${path}.lock`, holder);
    await (await journalOutbox({ path })).close();
  }
  const start = born.slice(born.lastIndexOf(")") + 2).split(" ")[19];
  writeFileSync(`${path}.lock`, `${process.pid} ${start}\n`);
  await assert.rejects(journalOutbox({ path }), { code: "JOURNAL_LOCKED" });
});

test("when it is full it rejects, keeps what it has, and has room again when that is settled", async () => {
  const outbox = await journalOutbox({ path, bytesMax: 10_000 });
  let taken = 0;
  for (; ; taken++) {
    const added = await outbox.add([fixed(taken, "x".repeat(500))]).then(() => true, (error: { code: string }) => assert.equal(error.code, "OUTBOX_FULL"));
    if (added !== true) break;
  }
  assert.ok(taken > 10 && taken < 20, `${taken} items`);
  assert.equal(await outbox.size(), taken);
  assert.ok(statSync(path).size <= 10_500);
  await outbox.remove((await outbox.peek(all)) ?? []);
  await until(() => statSync(path).size === 0, "a journal of which all is settled is empty");
  await outbox.add([fixed(50)]);
  await outbox.close();
  const again = await journalOutbox({ path });
  assert.deepEqual(ids(await again.peek(all)), ["i50"]);
  await again.close();
});

test("a large file of which most is settled is written anew", async () => {
  const outbox = await journalOutbox({ path });
  const long = "x".repeat(50_000);
  for (let n = 0; n < 100; n++) await outbox.add([fixed(n, long)]);
  const before = statSync(path).size;
  assert.ok(before > 5_000_000);
  await outbox.remove((await outbox.peek(all))?.slice(0, 90) ?? []);
  await until(() => statSync(path).size < 700_000, "a small file");
  await outbox.add([fixed(500)]);
  await outbox.close();
  const again = await journalOutbox({ path });
  assert.deepEqual(ids(await again.peek(all)), [...Array.from({ length: 10 }, (_, n) => `i${90 + n}`), "i500"]);
  await again.close();
});

test("a stream of reports does not hold up the removal of what is settled", async () => {
  const outbox = await journalOutbox({ path });
  let n = 0;
  let streaming = true;
  const stream = (async () => {
    while (streaming) await Promise.all([outbox.add([fixed(n++)]), outbox.add([fixed(n++)])]);
  })();
  for (let round = 0; round < 20; round++) {
    const began = Date.now();
    await outbox.remove((await outbox.peek({ items: 5, bytes: Infinity })) ?? []);
    assert.ok(Date.now() - began < 1_000);
    await new Promise((done) => setTimeout(done, 2));
  }
  streaming = false;
  await stream;
  const size = await outbox.size();
  await outbox.close();
  const again = await journalOutbox({ path });
  assert.equal(await again.size(), size);
  assert.ok(size < n);
  await again.close();
});

test("its file is readable by its owner alone", async () => {
  const outbox = await journalOutbox({ path });
  assert.equal(statSync(path).mode & 0o777, 0o600);
  await outbox.close();
});

test("records: checksum, ranges, scan", () => {
  assert.equal(crc32(Buffer.from("123456789")), 0xcbf43926);
  assert.deepEqual(ranges([5, 1, 2, 3, 9, 8]), [[1, 3], [5, 5], [8, 9]]);
  const record = { done: [], add: [[1, "a\nb"]] as const };
  assert.deepEqual(scan(encode(record)).records, [record]);
  assert.deepEqual(scan(Buffer.alloc(0)), { records: [], bytes: 0, corruptAt: null });
});
