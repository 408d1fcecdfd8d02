// tens of megabytes of objects of every kind, kept, and counted at the end
import { Plan, Product, Raw } from "@svc/product";

const kept = []; let sum = 0;
for (let i = 0; i < 60000; i++) { kept.push(i % 5 === 0 ? { i, a: [i] } : i % 5 === 1 ? `text ${i} ${"y".repeat(i % 50)}` : i % 5 === 2 ? [i, i / 2, String(i)] : i % 5 === 3 ? () => i : new Map([[i, i]])); if (i % 1000 === 0) sum += kept.length; }
const told = [String(sum), String(kept.length), String(kept[333]()), JSON.stringify(kept[60]), JSON.stringify([...kept[4]])].concat([7, 77, 777, 7777].map((i) => JSON.stringify(kept[i]) ?? typeof kept[i]));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
