// row 16: two loops that count each other's turns, over every kind of waiting
import { Plan, Product, Raw } from "@svc/product";

const told = [];
const thenable = (v) => ({ then: (f) => f(v) });
const ways = { plain: (v) => v, promise: (v) => Promise.resolve(v), thenable, late: async (v) => v, chained: (v) => Promise.resolve(v).then((x) => x), nested: (v) => Promise.resolve(thenable(v)), raced: (v) => Promise.race([v, thenable(v)]), all: (v) => Promise.all([v, thenable(v)]), tried: (v) => (Promise as any).try(() => thenable(v)), generated: (v) => (async function* () { yield v; })().next() };
for (const [one, first] of Object.entries(ways)) for (const [other, second] of Object.entries(ways)) {
  let turns = 0, ahead = 0, stop = false;
  const count = (async () => { while (!stop) { await second(turns); turns++; if (turns > 400) break; } })();
  for (let i = 0; i < 20; i++) { const before = turns; await first(i); ahead += turns - before; }
  stop = true; await count; told.push(`${one} ${other} ${ahead} ${turns}`);
}
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
