// labels, continue outwards, finally that overrides, switch fall-through
import { Plan, Product, Raw } from "@svc/product";

const log = [];
outer: for (let i = 0; i < 4; i++) { inner: for (let j = 0; ; j++) { if (j === 2) continue outer; if (i === 2) break outer; if (i === 1) { log.push("skip"); continue inner; } log.push(`${i}${j}`); } }
block: { log.push("in"); if (log.length) break block; log.push("never"); }
const f = (mode) => { for (const x of [1, 2, 3]) { try { if (mode === x) return `return ${x}`; if (mode === "throw") throw x; if (mode === "continue") continue; } catch (e) { log.push(`catch ${e}`); if (e === 2) return "caught"; } finally { log.push(`finally ${x}`); if (mode === "override" && x === 2) return "overridden"; if (mode === 3 && x === 2) break; } } return "end"; };
for (const mode of [1, 2, 3, "throw", "continue", "override"]) log.push(f(mode));
const s = (x) => { const seen = []; switch (x) { case 1: seen.push(1); default: seen.push("d"); case 2: seen.push(2); break; case 3: { let x = 3; seen.push(x); } case "4": seen.push("4"); } return seen.join(); };
log.push(...[1, 2, 3, 4, "4", NaN].map(s));
const closures = []; for (let i = 0, k = () => i; i < 3; i++) closures.push(() => i, k); for (const x of [1, 2]) closures.push(() => x); for (var v = 0; v < 2; v++) closures.push(() => v);
log.push(closures.map((c) => c()).join()); a: b: c: for (;;) { break a; } do { log.push("once"); if (true) continue; } while (false);
const told = log;
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
