// Reflect against Object over values that are no objects, and receivers
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const values = [1, "ab", null, undefined, {}, [1], () => {}, Object.freeze({ a: 1 }), new Proxy({}, {})];
const told = values.flatMap((v) => [() => Reflect.ownKeys(v).map(String), () => Object.keys(v), () => Reflect.getPrototypeOf(v) === Object.getPrototypeOf(v), () => Reflect.isExtensible(v), () => Object.isExtensible(v), () => Reflect.has(v, "a"), () => Reflect.set(v, "a", 2), () => Reflect.deleteProperty(v, "a"), () => Reflect.defineProperty(v, "q", { value: 1 }), () => Reflect.setPrototypeOf(v, null), () => Object.values(v).length, () => Object.entries(v).join(), () => Object.getOwnPropertyNames(v).join(), () => Object.isFrozen(v), () => Object.hasOwn(v, "0")].map(attempt));
const base = { get who() { return this.name; }, set who(v) { this.name = v; } };
told.push(Reflect.get(base, "who", { name: "receiver" }), attempt(() => { const r = {}; Reflect.set(base, "who", "set", r); return JSON.stringify(r); }), attempt(() => Reflect.set({ a: 1 }, "a", 2, Object.freeze({ a: 0 }))), attempt(() => Reflect.set({}, "a", 2, 5)), attempt(() => Reflect.apply(Math.max, null, { length: 2, 0: 3, 1: 9 })), attempt(() => Reflect.construct(Array, [3], Map) instanceof Map), attempt(() => Reflect.construct(Date, [0], Array).length), attempt(() => Reflect.construct(() => {}, [])), attempt(() => Reflect.ownKeys(Reflect).map(String).join()));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
