// patterns that unroll to more than an engine takes: which is the first, and what is said
import { Plan, Product, Raw } from "@svc/product";

const told = [];
const nest = (depth, times) => { let p = "a"; for (let i = 0; i < depth; i++) p = `(?:${p}){${times}}`; return p; };
for (const [depth, times] of [[1, 1000], [2, 100], [2, 999], [3, 30], [3, 100], [4, 20], [4, 100], [12, 2], [30, 2]]) {
  try { told.push(`${depth} ${times} ${new RegExp(`^${nest(depth, times)}$`).test("a".repeat(Math.min(times ** depth, 20000)))}`); } catch (e) { told.push(`${depth} ${times} ${e.name} ${e.message.slice(0, 20)} ${e.message.slice(-40)}`); }
}
const groups = (n) => { try { return String(new RegExp("()".repeat(n)).exec("")?.length); } catch (e) { return e.message.slice(-40); } };
told.push([1, 100, 2000].map(groups).join());
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
