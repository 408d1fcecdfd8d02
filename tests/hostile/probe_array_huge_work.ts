// sums, reversals and searches of a hundred thousand elements of each kind
import { Plan, Product, Raw } from "@svc/product";

const told = [];
for (const make of [(i) => i, (i) => i / 3, (i) => `k${i % 997}`, (i) => (i % 2 ? i : `${i}`), (i) => ({ i: i % 31 })]) {
  const list = Array.from({ length: 30000 }, (_, i) => make((i * 7919) % 30011));
  const sorted = list.toSorted((a, b) => ((a.i ?? a) < (b.i ?? b) ? -1 : 1));
  told.push([JSON.stringify(sorted.slice(0, 5)), JSON.stringify(sorted.slice(-5)), list.indexOf(make(5)), list.toReversed().findIndex((x) => (x.i ?? x) == (make(9).i ?? make(9))), new Set(list).size, list.filter((_, i) => i % 7 === 0).length].join(" "));
}
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
