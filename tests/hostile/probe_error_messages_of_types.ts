// the messages of a hundred mistakes with types
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const o = { a: { b: null }, f: 1, get g() { return undefined; }, s: Symbol("q") };
const u = undefined; const n = null; const list = [1]; class K { static m() {} #p = 1; static has(x) { return #p in x; } static get(x) { return x.#p; } static set(x) { x.#p = 1; } #m() {} static call(x) { return x.#m(); } }
const told = [() => u(), () => u.x, () => n.x.y, () => u[0], () => u["a b"], () => u[Symbol.iterator], () => o.x(), () => o.f(), () => o.a.b.c, () => o.a.b(), () => o["a"]["x"](), () => o.g(), () => o.f`x`, () => o?.a?.b.c, () => o.a?.b?.c.d.e, () => list[0](), () => list[5].x, () => list.map(5), () => list.map(u), () => list.reduce(() => {}, ...[]) && [].reduce(() => {}), () => new o.f(), () => new (() => {})(), () => new list.map(), () => new (async () => {})(), () => new Math.max(), () => K(), () => K.call(o), () => K.get(o), () => K.set({}), () => K.has(1), () => new K().m(), () => K.m.m(), () => { const [a] = 1; }, () => { const [a] = {}; }, () => { const { a } = null; }, () => { const { a: { b } } = {}; }, () => { const { ...x } = u; }, () => { const [[x]] = [null]; }, () => { for (const x of 5) {} }, () => { for (const x of o) {} }, () => { for (const [k] of [1]) {} }, () => [...5], () => [...o.a], () => Math.max(...5), () => new Set(5), () => new Map([1]), () => new Map(5), () => new Promise(), () => Promise.resolve.call(1), () => Symbol() + 1, () => `${Symbol("z")}`, () => +Symbol(), () => 1n + 1, () => +1n, () => 1n >>> 0n, () => 1n / 0n, () => 2n ** -1n, () => BigInt(1.5), () => BigInt("x"), () => "a" in "b", () => 1 in 1, () => o instanceof o, () => o instanceof 5, () => o instanceof (() => {}), () => ({}) instanceof { [Symbol.hasInstance]: 1 }, () => Object.create(5), () => Object.defineProperty(1), () => Reflect.construct(1), () => Reflect.apply(1), () => Reflect.ownKeys(1), () => Reflect.get(1, "a"), () => new Proxy({}, null), () => new Proxy(1, {}), () => Function.prototype.call.call(1), () => Function.prototype.toString.call({}), () => Map.prototype.get.call({}, 1), () => Set.prototype.add.call([], 1), () => Date.prototype.getTime.call({}), () => RegExp.prototype.exec.call({}), () => Symbol.prototype.toString.call(1), () => BigInt.prototype.toString.call(1), () => Number.prototype.toFixed.call("1"), () => String.prototype.trim.call(null), () => Array.prototype.map.call(null, (x) => x), () => Promise.prototype.then.call(1), () => ArrayBuffer.prototype.slice.call({}), () => Uint8Array.prototype.fill.call([]), () => DataView.prototype.getInt8.call({}), () => "x".repeat(-1), () => "x".repeat(Infinity), () => (1).toString(1), () => (1).toString(37), () => (1).toFixed(101), () => new Array(-1), () => new Array(1.5), () => new Date(NaN).toISOString(), () => "a".normalize("x"), () => JSON.parse("{"), () => JSON.stringify(1n), () => { const c = {}; c.c = c; JSON.stringify(c); }, () => decodeURI("%"), () => structuredClone(1), () => { "use strict"; nope = 1; }, () => nope, () => nope.x, () => { x; let x; }, () => { x(); const x = 1; }, () => { C; class C {} }, () => { const c = 1; c = 2; }, () => { const c = 1; c++; }, () => { for (const i = 0; i < 2; i++); }, () => { (function f() { f = 1; })(); }, () => { class D { static { D = 1; } } }].map(attempt);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
