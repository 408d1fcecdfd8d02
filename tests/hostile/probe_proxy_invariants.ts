// every lie of a proxy that the language refuses, and its message
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const fixed = () => Object.freeze({ a: 1 }); const closed = () => Object.preventExtensions({ a: 1 }); const P = (t, h) => new Proxy(t, h);
const told = [() => P(fixed(), { get: () => 2 }).a, () => Reflect.set(P(fixed(), { set: () => true }), "a", 2), () => delete P(fixed(), { deleteProperty: () => true }).a, () => "a" in P(fixed(), { has: () => false }), () => Object.keys(P(fixed(), { ownKeys: () => [] })), () => Object.keys(P(fixed(), { ownKeys: () => ["a", "b"] })), () => Object.keys(P({}, { ownKeys: () => ["a", "a"] })), () => Object.keys(P({}, { ownKeys: () => [1] })), () => Object.keys(P({}, { ownKeys: () => 5 })), () => Object.getOwnPropertyDescriptor(P(fixed(), { getOwnPropertyDescriptor: () => undefined }), "a"), () => Object.getOwnPropertyDescriptor(P({}, { getOwnPropertyDescriptor: () => ({ value: 1, configurable: false }) }), "a"), () => Object.getOwnPropertyDescriptor(P({}, { getOwnPropertyDescriptor: () => 5 }), "a"), () => Object.defineProperty(P(closed(), { defineProperty: () => true }), "b", { value: 1 }), () => Object.defineProperty(P({}, { defineProperty: () => false }), "b", {}), () => Object.getPrototypeOf(P(closed(), { getPrototypeOf: () => null })), () => Object.getPrototypeOf(P({}, { getPrototypeOf: () => 5 })), () => Object.setPrototypeOf(P(closed(), { setPrototypeOf: () => true }), null), () => Object.setPrototypeOf(P({}, { setPrototypeOf: () => false }), null), () => Object.isExtensible(P({}, { isExtensible: () => false })), () => Object.preventExtensions(P({}, { preventExtensions: () => true })), () => Object.preventExtensions(P({}, { preventExtensions: () => false })), () => new (P(class {}, { construct: () => 5 }))(), () => P({}, {})(), () => new (P(() => {}, {}))(), () => { P({}, { set: () => false }).a = 1; }, () => delete P({}, { deleteProperty: () => false }).a, () => P({}, { get: 5 }).a, () => P({}, { get get() { throw new Error("trap"); } }).a, () => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy.a; }, () => { const { proxy, revoke } = Proxy.revocable([], {}); revoke(); return Array.isArray(proxy); }, () => { const { proxy, revoke } = Proxy.revocable(() => {}, {}); revoke(); return typeof proxy; }, () => Object.getOwnPropertyDescriptors(Proxy.revocable({ a: 1 }, {})).revoke.value.name, () => JSON.stringify(P([1, 2], { get: (t, k) => (k === "length" ? 3 : t[k]) })), () => Object.entries(P({ a: 1, b: 2 }, { ownKeys: () => ["b", "z", "a"] })).join(";")].map(attempt);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
