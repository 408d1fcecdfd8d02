// stable sorting of a thousand records by keys that repeat, at lengths around V8's run sizes
import { Plan, Product, Raw } from "@svc/product";

const told = [];
for (const length of [2, 3, 10, 31, 32, 33, 63, 64, 65, 127, 128, 129, 512, 1000]) {
  const records = Array.from({ length }, (_, i) => ({ key: (i * 7919) % 13, at: i }));
  const sorted = records.toSorted((a, b) => a.key - b.key);
  let sum = 0;
  for (const { at } of sorted) sum = (Math.imul(sum, 31) + at) | 0;
  told.push(`${length} ${sum} ${sorted.every((record, i) => i === 0 || sorted[i - 1].key < record.key || sorted[i - 1].at < record.at)}`);
}
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
