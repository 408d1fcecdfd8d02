// the default order of numbers, texts, symbols' absence, undefined and objects
import { Plan, Product, Raw } from "@svc/product";

const values = [10, 9, 1, "1", "10", -1, -2, 1e21, 1e-7, NaN, null, true, undefined, [2], {}, "b", "a", "B", "\u00e4", "", 0, -0, 0n, 5n];
const told = [values.toSorted().map(String).join(), [...values].sort((a, b) => (String(a) < String(b) ? -1 : 1)).map(String).join(), [3, undefined, 1, , 2].toSorted().map(String).join(), JSON.stringify([[2, 1], [1, 2], [10]].sort()), JSON.stringify([5, 25, 100, 1].sort())];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
