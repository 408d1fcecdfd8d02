// every helper of iterators, with the calls it makes and closes
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const log = [];
const make = (values, name = "it") => { let i = 0; return { __proto__: Iterator.prototype, next() { log.push(`${name} next`); return { value: values[i], done: i++ >= values.length }; }, return() { log.push(`${name} return`); return {}; } }; };
const told = [() => [...make([1, 2, 3]).map((x, i) => x * 10 + i)], () => [...make([1, 2, 3, 4]).filter((x) => x % 2)], () => [...make([1, 2, 3]).take(2)], () => [...make([1, 2, 3]).drop(1)], () => [...make([1, 2]).flatMap((x) => [x, x])], () => make([1, 2, 3]).reduce((a, b) => a + b), () => make([]).reduce((a, b) => a), () => make([1, 2]).toArray(), () => make([1, 2, 3]).some((x) => x === 2), () => make([1, 2]).every((x) => x < 2), () => make([1, 2, 3]).find((x) => x > 1), () => make([1]).forEach((x) => log.push(`each ${x}`)), () => make([1]).take(-1), () => make([1]).take(NaN), () => make([1]).drop("x"), () => make([1]).map(5), () => [...make([1]).flatMap(() => 5)], () => [...make([1]).flatMap(() => "ab")], () => make([1, 2]).map(() => { throw new Error("mapper"); }).next(), () => Iterator.from({ next: () => ({ done: true }) }).toArray(), () => Iterator.from("ab").toArray(), () => Iterator.from(5), () => new Iterator(), () => new (class extends Iterator {})().toArray(), () => [...make([1, 2, 3, 4, 5]).filter((x) => x > 1).map((x) => x * 2).drop(1).take(2)], () => { const it = make([1, 2]).map((x) => x); it.return(); return JSON.stringify(it.next()); }, () => Object.prototype.toString.call(make([]).map((x) => x)), () => Reflect.ownKeys(Iterator.prototype).map(String).join(), () => Reflect.ownKeys(Iterator).map(String).join(), () => Iterator.concat?.([1], "bc", make([2])).toArray(), () => Iterator.zip?.([[1, 2], "ab"]).toArray().join(";"), () => Iterator.zipKeyed?.({ a: [1], b: [2, 3] }, { mode: "longest" }).toArray().map((x) => JSON.stringify(x)), () => Iterator.range].map(attempt).concat(log);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
