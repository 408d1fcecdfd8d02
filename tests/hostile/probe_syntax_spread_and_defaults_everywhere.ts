// spread, rest, defaults and computed keys in every place they may stand
import { Plan, Product, Raw } from "@svc/product";

let n = 0; const w = (x) => (n++, x); const f = ({ a = w(1), [w("b")]: { c = w(2) } = {}, ...rest } = {}, [d = w(3), , ...[e = w(4)]] = [], ...[g = w(5), { length } = []]) => JSON.stringify([a, c, d, e, g, length, rest]);
const told = [f(), f({ a: 9, b: { c: 8 }, z: 1 }, [7, 6, 5], 4, [3, 2]), f(undefined, undefined, undefined), JSON.stringify([...[1, ...[2]], ..."ab", ...new Set([3])]), JSON.stringify({ ...null, ...undefined, ..."ab", ...[1], ...{ a: 1, ...{ b: 2 } }, ...5, ...(() => {}), ...true }), Math.max(...[1, 5], 3, ...[9]), new Date(...[2020, 1, 2]).toISOString(), String(n), (({ length }) => length)("abc"), (([, b]) => b)("xyz"), JSON.stringify((({ a: { b: [c, ...d] }, ...e }) => [c, d, e])({ a: { b: [1, 2, 3] }, f: 4 })), (function () { return arguments.length; })(...[,], ...[undefined]), JSON.stringify((() => { const o = {}; [o.a, o["b"], ...o.c] = [1, 2, 3, 4]; ({ x: o.d, ...o.e } = { x: 5, y: 6 }); for ([o.f, { g: o.g }] of [[7, { g: 8 }]]); for (o.h in { i: 1 }); return o; })())].map(String);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
