// evaluation and application of legacy decorators on everything of a class, and their arguments
import { Plan, Product, Raw } from "@svc/product";

const log = [];
const d = (name) => (log.push(`make ${name}`), (...args) => { log.push(`apply ${name} ${args.map((a) => (typeof a === "function" ? `class ${a.name}` : typeof a === "object" && a ? (("value" in a || "get" in a) ? `descriptor ${Object.keys(a)}` : `object ${a.constructor?.name}`) : String(a))).join("|")}`); });
@d("class 1") @d("class 2") class A { @d("field") @d("field 2") f = 1; @d("method") m() {} @d("static") static s = 2; @d("getter") get g() { return 1; } set g(v) {} @d("static method") static sm() {} @d("computed") [`c${log.length}`]() {} @d("symbol") [Symbol.iterator]() {} @d("number") 5 = 1; @d("accessor") accessor x = 1; }
log.push(Reflect.ownKeys(A.prototype).map(String).join(), JSON.stringify(new A()));
const told = log;
//? DECORATOR_MISUSE
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
