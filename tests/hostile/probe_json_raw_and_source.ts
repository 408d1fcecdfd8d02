// numbers that JSON keeps as written, and the text that a reviver is shown
import { Plan, Product, Raw } from "@svc/product";

const told = [];
const J: any = JSON; const step = (run) => { try { told.push(String(run())); } catch (e) { told.push(`${e.name}: ${e.message}`); } };
for (const text of ["1e1000", "-0", "1.0", "\"a\"", "true", "null", " 1", "1 ", "[1]", "{}", "", "01", "\t1"]) step(() => J.stringify({ a: [J.rawJSON(text)] }));
step(() => [Object.isFrozen(J.rawJSON("1")), Object.getPrototypeOf(J.rawJSON("1")), Object.keys(J.rawJSON("1")).join(), J.isRawJSON(J.rawJSON("1")), J.isRawJSON({ rawJSON: "1" })].join("|"));
step(() => JSON.stringify(Object.assign({}, J.rawJSON("5")))); step(() => JSON.stringify({ ...J.rawJSON("5") })); step(() => JSON.stringify([J.rawJSON("5")], (_, v) => (J.isRawJSON(v) ? "raw" : v)));
step(() => { const seen = []; JSON.parse('{"a":1.50,"b":[1E2,"\\u0061",-0],"c":{"d":null},"a":2}', ((k, v, c) => { seen.push(`${k}=${c?.source}`); return v; }) as any); return seen.join(); });
step(() => { const seen = []; JSON.parse('{"a":1,"b":2}', (function (k, v, c) { if (k === "a") this.b = 3; seen.push(`${k}=${v}=${c.source}`); return v; }) as any); return seen.join(); });
step(() => JSON.parse("[9007199254740993,1e400]", ((k, v, c) => (c.source ? BigInt(Math.trunc(Number.isFinite(v) ? v : 0)).toString() + c.source : v)) as any).join());
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
