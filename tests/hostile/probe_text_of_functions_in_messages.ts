// messages of mistakes made with functions: what of them holds a function's text
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const f = () => 1_000; const g = function named(a: number) { /* comment */ return 0x10 + a; }; class K { static x = 1_0; m() {} }
const functions = [f, g, K, new K().m, async () => 0x10, function* () { yield 0b1; }, Date, ArrayBuffer, Float64Array, eval, Math.max, "".normalize, Math.random, f.bind(null), new Proxy(g, {}), Error.prototype.toString, Object.prototype.toString, Function.prototype.toString];
const mistakes = [(x) => class extends x.nope {}, (x) => class extends x {}, (x) => new x.y(), (x) => [].map.call(null, x), (x) => new Map([x]), (x) => new Map([[x]]).get(x).y, (x) => Object.create(1, x), (x) => x in 5, (x) => 5 instanceof x, (x) => Symbol.keyFor(x), (x) => BigInt(x), (x) => BigInt.asIntN(x, 1n), (x) => [...x], (x) => { const [a] = x; }, (x) => { for (const a of x); }, (x) => new Set(x), (x) => new Promise(x.nope), (x) => Reflect.construct(Array, x), (x) => Reflect.apply(x, null, 1), (x) => JSON.parse(x), (x) => "a".normalize(x), (x) => "a".repeat(x), (x) => (1).toString(x), (x) => (1).toFixed(x), (x) => new Date(x).toISOString(), (x) => x`a`.b, (x) => decodeURI(`%${x}`), (x) => new RegExp("(", x), (x) => new RegExp(x), (x) => x.call.call(1), (x) => Object.defineProperty(x, "prototype", { value: 1, get: 1 } as any), (x) => Object.defineProperty({}, "a", { get: 1, set: x } as any), (x) => Object.setPrototypeOf({}, x).y.z, (x) => Object.fromEntries([x]), (x) => Object.fromEntries(x), (x) => x(...x), (x) => { x.name = 1; }, (x) => { x.length = 1; }, (x) => { delete x.prototype; }, (x) => x.caller, (x) => x.arguments, (x) => x(), (x) => new x(), (x) => WeakMap.prototype.set.call(x, 1), (x) => new WeakMap([[1, x]]), (x) => Map.prototype.get.call(x), (x) => Array.prototype.concat.call(null, x), (x) => new Uint8Array(x), (x) => new DataView(x), (x) => Uint8Array.from(x).y.z, (x) => ({}).x.y(x), (x) => x.nope(), (x) => x[x], (x) => x[x].y, (x) => ({})[x](), (x) => { const o = Object.freeze({}); o[x] = 1; }, (x) => { Object.freeze([])[x] = 1; }, (x) => Object.groupBy([1], x), (x) => Iterator.from(x), (x) => [1].values().take(x), (x) => [1].values().map(x).next(), (x) => new Set([1]).union(x), (x) => new DisposableStack().use(x), (x) => { using a = x; }, (x) => Symbol(x).description, (x) => Promise.resolve.call(x, 1), (x) => String.raw(x), (x) => [1, 2].sort(x), (x) => [1].with(x, 1), (x) => Array(x).length, (x) => new Array(5).fill(x).join(), (x) => parseInt(x), (x) => Number(x), (x) => x < 1, (x) => x == "a", (x) => isNaN(x), (x) => JSON.rawJSON(x), (x) => Reflect.ownKeys(x).map(String).join(), (x) => { const s = { [Symbol.iterator]: () => x }; [...s]; }, (x) => { const s = { [Symbol.iterator]: () => ({ next: () => x }) }; const [a] = s; return a; }, (x) => new Proxy(x, { construct: () => 1 }).y.z, (x) => Object.defineProperty(Object.freeze({}), x, {}), (x) => { class Q { #p = 1; static r(o) { return o.#p; } } Q.r(x); }];
const pieces = ["1e3", "1000", "1_000", "16", "0x10", "=>", "return", "native code", "comment", "refuse", "Reflect", "apply", "construct(", "static"];
const told = functions.flatMap((x, i) => mistakes.map((mistake, k) => [k, attempt(() => mistake(x))] as const).filter(([, text]) => pieces.some((piece) => text.includes(piece))).map(([k, text]) => `${i} ${k} ${text}`.slice(0, 300)));
for (const x of [Plan, Plan("p"), Raw]) told.push(attempt(() => class extends (x as any) {}).slice(0, 300), attempt(() => new Map([x as any])).slice(0, 300), attempt(() => { const { a } = x as any; return a.b; }));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
