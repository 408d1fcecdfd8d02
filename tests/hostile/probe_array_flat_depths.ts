// flat and flatMap of nested lists at every depth
import { Plan, Product, Raw } from "@svc/product";

const nested = [1, [2, [3, [4, [5, [6, , [7]]]]]], "89", [[]], { length: 1, 0: "no" }, new Uint8Array([1])];
const told = [0, 1, 2, 3, Infinity, -1, "2", undefined, NaN, 1.9].map((depth) => JSON.stringify(nested.flat(depth))).concat(JSON.stringify([1, 2, 3].flatMap((x) => (x === 2 ? [] : [[x], x]))), JSON.stringify([[1], , [2]].flatMap((x) => x)));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
