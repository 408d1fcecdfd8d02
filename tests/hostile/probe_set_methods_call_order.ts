// what the methods of sets ask of another set, by sizes
import { Plan, Product, Raw } from "@svc/product";

const log = [];
const like = (name, size, items) => ({ get size() { log.push(`${name}.size`); return size; }, get has() { log.push(`${name}.has?`); return (x) => (log.push(`${name}.has ${x}`), items.includes(x)); }, get keys() { log.push(`${name}.keys?`); return () => { log.push(`${name}.keys`); let i = 0; return { next: () => (log.push(`${name}.next`), i < items.length ? { value: items[i++], done: false } : { done: true }), return: () => (log.push(`${name}.return`), {}) }; }; } });
for (const method of ["union", "intersection", "difference", "symmetricDifference", "isSubsetOf", "isSupersetOf", "isDisjointFrom"]) for (const size of [1, 9]) { log.push(`-- ${method} ${size}`); new Set([1, 2, 3])[method](like("o", size, [2, 5])); }
const told = log;
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
