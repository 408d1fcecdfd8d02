// groupBy of objects and maps, Array.from of everything iterable
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const words = ["apple", "bob", "cat", "10", "9", "", "avocado", "\u{1f600}", "__proto__", "constructor"];
const told = [JSON.stringify(Object.groupBy(words, (word) => word.length)), JSON.stringify(Object.groupBy(words, (word) => word)), String(Object.getPrototypeOf(Object.groupBy([], (x) => x))), JSON.stringify([...Map.groupBy(words, (word) => word[0])]), JSON.stringify([...Map.groupBy([0, -0, NaN, NaN], (x) => x)].map(([key, list]) => [String(key), list.length]))];
for (const from of ["ab\u{1f600}", new Set([2, 1]), new Map([[1, 2]]), { length: 2 }, (function* () { yield 1; yield 2; })(), new Uint8Array(2), null, 5, { [Symbol.iterator]: 1 }, { [Symbol.iterator]: null, length: 1 }, Iterator.from([7])]) told.push(attempt(() => JSON.stringify(Array.from(from, (x, i) => [x, i]))));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
