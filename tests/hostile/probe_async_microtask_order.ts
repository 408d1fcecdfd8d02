// the order of jobs: awaits, thenables, nested promises and returns of promises
import { Plan, Product, Raw } from "@svc/product";

const log = [];
const p = (name) => Promise.resolve().then(() => log.push(`${name}.1`)).then(() => log.push(`${name}.2`)).then(() => log.push(`${name}.3`)).then(() => log.push(`${name}.4`)).then(() => log.push(`${name}.5`));
const thenable = (name, times = 1) => ({ then(yes) { log.push(`${name} then`); yes(times > 1 ? thenable(name, times - 1) : name); } });
const a = async () => { log.push("a"); await null; log.push("a2"); await thenable("t"); log.push("a3"); return Promise.resolve(1); };
const b = async () => { log.push("b"); try { await Promise.reject(1); } catch { log.push("b caught"); } finally { await 0; log.push("b finally"); } return thenable("r", 3); };
const c = (async () => { for await (const x of [Promise.resolve(1), 2, thenable("f")]) log.push(`c ${x}`); })();
await Promise.all([p("p"), a().then(() => log.push("a done")), b().then((x) => log.push(`b done ${x}`)), c, new Promise((yes) => yes(Promise.resolve())).then(() => log.push("adopted")), new Promise((yes) => yes(thenable("n", 2))).then(() => log.push("adopted thenable")), Promise.resolve(Promise.resolve()).then(() => log.push("same"))]);
const told = log;
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
