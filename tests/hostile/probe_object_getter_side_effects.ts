// the order of getters in spread, assign, JSON, destructuring and comparison
import { Plan, Product, Raw } from "@svc/product";

const log = [];
const make = () => new Proxy({ b: 1, a: 2, 1: 3, [Symbol.toStringTag]: "T" }, { get: (target, key, receiver) => (log.push(`get ${String(key)}`), Reflect.get(target, key, receiver)), ownKeys: (target) => (log.push("ownKeys"), Reflect.ownKeys(target)), getOwnPropertyDescriptor: (target, key) => (log.push(`descriptor ${String(key)}`), Reflect.getOwnPropertyDescriptor(target, key)), has: (target, key) => (log.push(`has ${String(key)}`), key in target) });
const step = (name, run) => { log.push(`-- ${name}`); run(); };
step("spread", () => ({ ...make() })); step("assign", () => Object.assign({}, make())); step("json", () => JSON.stringify(make())); step("destructure", () => { const { a, ...rest } = make(); }); step("entries", () => Object.entries(make())); step("tag", () => Object.prototype.toString.call(make())); step("in", () => "a" in make()); step("template", () => { try { `${make()}`; } catch {} }); step("keys", () => Object.keys(make())); step("for in", () => { for (const key in make()) log.push(key); }); step("descriptors", () => Object.getOwnPropertyDescriptors(make())); step("hasOwn", () => Object.hasOwn(make(), "a")); step("freeze", () => Object.freeze(make()));
const told = log;
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
