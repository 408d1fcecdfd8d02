// the order in which patterns read, default and assign
import { Plan, Product, Raw } from "@svc/product";

const log = [];
const source = new Proxy({ a: undefined, b: { c: 1 }, d: [1, 2, 3], 0: "zero" }, { get: (t, k) => (log.push(`get ${String(k)}`), t[k]), ownKeys: (t) => (log.push("ownKeys"), Reflect.ownKeys(t)), getOwnPropertyDescriptor: (t, k) => (log.push(`own ${String(k)}`), Reflect.getOwnPropertyDescriptor(t, k)) });
const target = new Proxy({}, { set: (t, k, v) => (log.push(`set ${String(k)}=${JSON.stringify(v)}`), (t[k] = v), true) });
const w = (name, value) => (log.push(name), value);
({ [w("key a", "a")]: target[w("ref a", "x")] = w("default a", 5), b: { c: target.c = w("never") }, d: [target.first, , ...target.rest], ...target.others } = source);
const iterable = (name, values) => ({ [Symbol.iterator]() { log.push(`${name} open`); let i = 0; return { next: () => (log.push(`${name} next`), { value: values[i], done: i++ >= values.length }), return: (v) => (log.push(`${name} close`), {}) }; } });
[target.p, target[w("ref q", "q")] = w("default q", 1)] = iterable("one", [undefined]);
[target.r] = iterable("two", [1, 2, 3]); [, , ...target.s] = iterable("three", [1, 2, 3, 4]); [] = iterable("four", [1]); try { [(() => { throw new Error("stop"); })().x] = iterable("five", [1]); } catch (error) { log.push(error.message); }
let [m, n] = [1, 2]; [m, n] = [n, m]; [[m], { n }] = [[n], { n: m }];
const told = [...log, `${m} ${n}`, ((a, { b = a, c: [d] = [b] } = {}, ...[e, f = e]) => [a, b, d, e, f].join())(1, undefined, 3)];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
