// what closes an iterator: break, throws in the body, in patterns, in Array.from, in Map, in Promise.all
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const log = [];
const make = (name, values = [1, 2, 3]) => ({ [Symbol.iterator]() { let i = 0; return { next() { return { value: values[i], done: i++ >= values.length }; }, get return() { log.push(`${name} return?`); return () => (log.push(`${name} return`), {}); } }; } });
const told = [() => { for (const x of make("break")) break; }, () => { for (const x of make("throw")) throw new Error("body"); }, () => { for (const x of make("end")); }, () => { l: for (;;) for (const x of make("outer")) break l; }, () => { const [a] = make("pattern"); }, () => { const [a, ...b] = make("rest"); }, () => Array.from(make("from"), () => { throw new Error("mapper"); }), () => new Map(make("map")), () => new Set(make("set")).size, () => new WeakSet(make("weak")), () => Object.fromEntries(make("entries")), () => Math.max(...make("spread")), () => [...make("array")].length, () => (() => { for (const x of make("return")) return x; })(), () => { const g = (function* () { yield* make("delegate"); })(); g.next(); g.return(); }, () => Object.groupBy(make("group"), () => { throw new Error("group"); }), () => { for (const { x: { y } } of make("nested")); }, () => Iterator.from(make("iterator")).take(1).toArray(), () => new Uint8Array(make("typed")).join(), () => String.raw({ raw: make("raw") }), () => Reflect.apply(Math.max, null, make("apply")), () => { for (const x of { [Symbol.iterator]: () => ({ next: () => 5 }) }); }, () => { for (const x of { [Symbol.iterator]: () => 5 }); }, () => { for (const x of { [Symbol.iterator]: () => ({}) }); }, () => { const [x] = { [Symbol.iterator]: () => ({ next: () => ({ get done() { throw new Error("done"); } }), return: () => log.push("never") }) }; }, () => { for (const x of { [Symbol.iterator]: () => ({ next: () => ({ value: 1 }), return: () => 5 }) }) break; }].map(attempt).concat(log);
await Promise.all(make("all")).then(() => told.push("all done")); await Promise.race(make("race")); told.push(...log.slice(-3));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
