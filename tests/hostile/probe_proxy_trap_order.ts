// the traps that every operation of the language falls into, with their arguments
import { Plan, Product, Raw } from "@svc/product";

const log = [];
const names = ["apply", "construct", "defineProperty", "deleteProperty", "get", "getOwnPropertyDescriptor", "getPrototypeOf", "has", "isExtensible", "ownKeys", "preventExtensions", "set", "setPrototypeOf"];
const handler = Object.fromEntries(names.map((name) => [name, (...args) => { log.push(`${name} ${args.slice(1).map((a) => (typeof a === "symbol" ? String(a) : typeof a === "object" || typeof a === "function" ? typeof a : String(a))).join()}`); return Reflect[name](...args); }]));
const f = new Proxy(function target() {}, handler); const o = new Proxy({ a: 1 }, handler); const l = new Proxy([3, 1, 2], handler);
const step = (name, run) => { log.push(`-- ${name}`); try { run(); } catch (e) { log.push(e.message); } };
step("call", () => f(1)); step("new", () => new f(1)); step("extends", () => class extends f {}); step("instanceof", () => ({}) instanceof f); step("define", () => Object.defineProperty(o, "b", { value: 1, configurable: true })); step("delete", () => delete o.b); step("set", () => { o.c = 1; }); step("inherit set", () => { Object.create(o).d = 1; }); step("inherit get", () => Object.create(o).e); step("inherit in", () => "g" in Object.create(o)); step("sort", () => l.sort()); step("splice", () => l.splice(1, 1)); step("concat", () => [].concat(l)); step("push", () => l.push(1)); step("includes", () => l.includes(9)); step("spread", () => [...l]); step("json", () => JSON.stringify(l)); step("seal", () => Object.seal(o)); step("isFrozen", () => Object.isFrozen(o)); step("keys", () => Object.keys(o)); step("toString", () => String(o)); step("==", () => o == 1); step("isArray", () => Array.isArray(l)); step("with proto", () => Object.setPrototypeOf(o, null)); step("propertyIsEnumerable", () => Object.prototype.propertyIsEnumerable.call(o, "a")); step("bind", () => Function.prototype.bind.call(f, 1)); step("map", () => l.map((x) => x)); step("class field", () => new (class { constructor() { return o; } })()); step("regexp", () => "x".replace(o, "y")); step("date", () => new Date(o)); step("promise", () => Promise.resolve(o)); step("reflect", () => Reflect.set(o, "a", 2, {}));
const told = log;
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
