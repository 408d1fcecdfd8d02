// generators: next, return, throw, delegation, and finally that yields
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const log = [];
function* g() { try { const a = yield 1; log.push(`a ${a}`); const b = yield* inner(); log.push(`b ${b}`); yield* [7, 8]; } catch (e) { log.push(`caught ${e}`); yield "recovered"; } finally { log.push("finally"); yield "in finally"; } return "end"; }
function* inner() { try { yield "i1"; yield "i2"; } finally { log.push("inner finally"); } return "inner result"; }
const step = (it, ...ops) => ops.map(([op, v]) => attempt(() => JSON.stringify(it[op](v)))).join(" ");
const told = [step(g(), ["next", 0], ["next", "x"], ["next"], ["next"], ["next"], ["next"], ["next"], ["next"]), step(g(), ["next"], ["return", 5], ["next"], ["next"]), step(g(), ["return", 1], ["next"]), step(g(), ["throw", "early"], ["next"]), step(g(), ["next"], ["next"], ["throw", "boom"], ["next"], ["next"]), step(g(), ["next"], ["next"], ["return", "r"], ["next"], ["next"]), ...log, attempt(() => { const it = (function* () { it.next(); })(); it.next(); }), [...(function* () { const x = yield* (function* () { return 3; })(); yield x; })()].join(), attempt(() => [...(function* () { yield* 5; })()]), attempt(() => new (function* () {})()), String((function* () {})()), JSON.stringify([...(function* (n) { if (n) { yield n; yield* arguments.callee?.(n - 1) ?? []; } }.bind ? (function* walk(n) { if (n) { yield n; yield* walk(n - 1); } })(5) : [])])];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
