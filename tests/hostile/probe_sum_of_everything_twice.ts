// the same work twice in one build, the second time after much garbage: alike
import { Plan, Product, Raw } from "@svc/product";

const work = () => { const out = []; const map = new Map(); for (let i = 0; i < 300; i++) { map.set(i % 17 ? `k${i % 23}` : i, (map.get(`k${i % 23}`) ?? 0) + Math.sin(i) ** 3); } out.push(JSON.stringify([...map])); out.push("The quick brown fox".replace(/(?<w>\w+)/gu, (m) => m.toUpperCase() + m.length)); out.push([5, 3, 9, 1].toSorted((a, b) => a - b).join()); out.push(JSON.stringify(Object.groupBy(out, (t) => t.length))); return out.join("~"); };
const first = work(); for (let i = 0; i < 30; i++) { let garbage = []; for (let k = 0; k < 5000; k++) garbage.push({ k, t: `${i}${k}` }); }
const told = [first, String(work() === first), work()];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
