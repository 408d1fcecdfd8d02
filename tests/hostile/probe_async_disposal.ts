// using and await using: order, mistakes, null, loops and errors upon errors
import { Plan, Product, Raw } from "@svc/product";

const log = [];
const r = (name, fails = false) => ({ [Symbol.dispose]() { log.push(`dispose ${name}`); if (fails) throw new Error(`dispose ${name}`); } });
const ar = (name, fails = false) => ({ async [Symbol.asyncDispose]() { log.push(`async dispose ${name}`); await null; log.push(`async disposed ${name}`); if (fails) throw new Error(`async ${name}`); } });
const show = (e, d = 0) => { log.push(`${d} ${e.name} ${e.message}`); if (e.suppressed) { show(e.error, d + 1); show(e.suppressed, d + 1); } };
{ using a = r("a"), b = null, c = undefined, d = r("d"); log.push("body"); }
for (using x of [r("x1"), r("x2")]) { log.push("loop"); if (log.length > 500) break; }
try { using a = r("1", true), b = r("2", true); throw new Error("body"); } catch (e) { show(e); }
try { using a = {}; } catch (e) { show(e); } try { using a = { [Symbol.dispose]: 5 }; } catch (e) { show(e); } try { using a = 5; } catch (e) { show(e); }
try { await using a = ar("p", true), b = r("q"), c = ar("s"); log.push("async body"); throw new Error("async body"); } catch (e) { show(e); }
const f = () => { using a = r("f"); return log.push("returning"); }; f(); const g = function* () { using a = r("g"); yield 1; yield 2; }; for (const x of g()) { log.push(`g ${x}`); break; }
for await (await using y of [ar("y")]) log.push("y");
const h = async () => { await using a = ar("h"); return "h returned"; }; log.push(await h()); switch (1) { case 1: { using s = r("switch"); log.push("case"); } }
const told = log;
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
