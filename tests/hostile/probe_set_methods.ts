// union, difference and their kin, of sets and of what only looks like one
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const a = new Set([3, 1, 2, "x", NaN]); const b = new Set([2, 4, NaN, 3]);
const likes = [b, new Map([[2, "two"], [5, 1]]), { size: 2, has: (x) => x === 1, keys: () => [1, 9].values() }, { size: Infinity, has: () => true, keys: () => [][Symbol.iterator]() }, [1], { size: NaN, has() {}, keys() {} }, { size: -1, has() {}, keys() {} }, { size: 1, has: 1 }, null, new Set()];
const told = ["union", "intersection", "difference", "symmetricDifference", "isSubsetOf", "isSupersetOf", "isDisjointFrom"].flatMap((method) => likes.map((like) => `${method} ${attempt(() => { const made = a[method](like); return made instanceof Set ? [...made].map(String).join() : made; })}`));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
