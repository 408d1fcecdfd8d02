// the very calls that sorting makes of its comparator
import { Plan, Product, Raw } from "@svc/product";

const told = [];
for (const list of [[3, 1, 2], [1, 2, 3, 4, 5, 6, 7, 8], [8, 7, 6, 5, 4, 3, 2, 1], [2, 2, 1, 1, 3, 3], Array.from({ length: 40 }, (_, i) => (i * 17) % 41)]) {
  const calls = [];
  list.toSorted((a, b) => (calls.push(`${a}:${b}`), a - b));
  told.push(calls.join(" "));
}
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
