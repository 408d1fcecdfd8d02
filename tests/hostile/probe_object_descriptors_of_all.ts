// descriptors of literals, classes, functions, arguments and arrays
import { Plan, Product, Raw } from "@svc/product";

const describe = (value) => JSON.stringify(Reflect.ownKeys(value).map((key) => { const d = Reflect.getOwnPropertyDescriptor(value, key); return [String(key), "value" in d ? typeof d.value : `${typeof d.get}/${typeof d.set}`, [d.writable, d.enumerable, d.configurable].map((x) => (x ? 1 : 0)).join("")]; }));
const told = [{ a: 1, get b() { return 1; }, set b(v) {}, ["c"]() {}, async *d() {} }, class { static #p = 1; static s = 1; static m() {} static get g() { return 1; } }, function f(a, b = 1, ...c) {}, () => {}, async () => {}, function* () {}, (function () { return arguments; })(1, 2), [1, 2], "ab", Object("ab"), /x/g, new Error("m", { cause: 1 }), new AggregateError([1], "m"), new Map(), Symbol.prototype, Promise, new Proxy({ a: 1 }, {}), Object.freeze([1]), class A { x = 1; static {} }, new (class B { #p; x = 1; ["y"] = 2; })()].map((value) => describe(Object(value)));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
