// what weak maps and sets take for a key, and that they have no order
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const keys = [{}, [], () => {}, Symbol("s"), Symbol.for("r"), Symbol.iterator, 1, "a", null, undefined, 1n, true, new Proxy({}, {})];
const told = keys.flatMap((key) => [() => new WeakMap([[key, 1]]).get(key), () => new WeakSet([key]).has(key), () => new WeakMap().has(key), () => new WeakMap().delete(key), () => new WeakSet().add(key).delete(key)].map(attempt)).concat(Reflect.ownKeys(WeakMap.prototype).map(String), Reflect.ownKeys(WeakSet.prototype).map(String), String(new WeakMap()), attempt(() => WeakMap()), attempt(() => [...new WeakSet()]));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
