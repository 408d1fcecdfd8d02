// labelled statements, also of templates and classes, and where each break ends
import { Plan, Product, Raw } from "@svc/product";

const told = [];
a: { told.push("a"); b: for (const i of [1, 2, 3]) { c: switch (i) { case 2: continue b; default: told.push(i); break c; } if (i === 3) break a; told.push("after", i); } told.push("never"); }
d: { try { break d; } finally { told.push("finally"); } }
e: for (;;) { try { try { break e; } finally { f: { break f; } told.push("f"); } } finally { told.push("g"); } }
const swallowed = () => { h: { try { throw 1; } finally { break h; } } return "swallowed"; }; told.push(swallowed());
const returned = () => { for (const x of [1, 2]) { try { return x; } finally { if (x === 1) continue; } } return 0; }; told.push(returned());
function* g() { i: for (const x of [1, 2, 3]) { try { yield x; } finally { if (x === 2) break i; } } yield 9; } told.push([...g()].join());
const closing = { n: 0, [Symbol.iterator]() { return { next: () => ({ done: false, value: ++this.n }), return: () => { told.push("closed"); return {}; } }; } };
j: for (const x of closing) { if (x > 6) break j; for (const y of closing) { if (y > 3) continue j; } }
k: `${told.push("template")}`; l: { class L { static { m: { break m; } } } } n: told.push("n"); yieldless: told.push("y"); let$: told.push("let");
await (async () => { o: for await (const x of [Promise.resolve(1), 2]) { try { continue o; } finally { told.push("async", x); } } })();
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
