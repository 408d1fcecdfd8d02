// promises of one's own: species, calls of then, constructors and their order
import { Plan, Product, Raw } from "@svc/product";

const log = [];
class Mine extends Promise { constructor(executor) { super(executor); log.push("new"); } then(a, b) { log.push("then"); return super.then(a, b); } static get [Symbol.species]() { log.push("species"); return Mine; } static resolve(v) { log.push("resolve"); return super.resolve(v); } }
const m = new Mine((yes) => yes(1));
log.push((await m.then((x) => x + 1)) + ""); await m; log.push("awaited"); const f = async () => m; await f(); log.push("returned"); await Mine.all([m, 2, Promise.resolve(3)]); log.push("all"); await m.catch(() => {}).finally(() => {}); await Promise.resolve(m); await Mine.race([m]); log.push(String(Promise.resolve(m) === m), String(Mine.resolve(m) === m), m.then(() => {}).constructor.name, f().constructor.name);
const told = log;
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
