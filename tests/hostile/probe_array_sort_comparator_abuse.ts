// comparators that lie, answer odd values, throw, or change the array under way
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const list = () => [5, 3, 9, 1, 7, 2, 8, 6, 4, 0];
const comparators = [() => 0, () => 1, () => -1, () => NaN, () => undefined, () => null, () => "1", () => "x", () => ({ valueOf: () => -1 }), () => true, () => false, () => Infinity, () => 0.1, () => -0.1, () => 1n, () => Symbol(), (a, b) => a > b, (a, b) => b > a, () => { throw new Error("stop"); }, null, 5, {}, "x", undefined];
const told = comparators.flatMap((comparator) => [attempt(() => list().sort(comparator)), attempt(() => list().toSorted(comparator)), attempt(() => Int8Array.from(list()).sort(comparator))]);
const shrinking = list(); told.push(attempt(() => shrinking.sort((a, b) => (shrinking.pop(), a - b))), JSON.stringify(shrinking));
const growing = list(); told.push(attempt(() => growing.sort((a, b) => (growing.length < 30 && growing.push(99), a - b))), JSON.stringify(growing));
const holed = [3, , 1, undefined, , 2]; told.push(JSON.stringify(holed.sort()), Object.keys(holed).join(), String(holed.length));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
