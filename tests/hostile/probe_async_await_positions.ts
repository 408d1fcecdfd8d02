// await in every position of expressions, classes, templates and patterns
import { Plan, Product, Raw } from "@svc/product";

const log = []; const w = async (x) => (log.push(String(x)), x);
const o = { a: (x) => x + 1 };
const told = [await w(1) + await w(2), `${await w("t")}${await w("u")}`, [await w(1), ...await w([2, 3])].join(), (await w(o)).a(await w(5)), (await w("key")) in { key: 1 }, await w(null) ?? await w("default"), (await w(0)) || (await w(7)), (await w(1)) && (await w(0)), -(await w(4)), typeof await w("s"), await w(await w(w(9))), JSON.stringify({ [await w("k")]: await w("v"), ...await w({ z: 1 }) }), (({ a, b = 0 }) => a + b)(await w({ a: 3 })), await (async (x = 5, { y } = { y: 6 }) => x + y)(), String(await w(new Date(0)) < await w(new Date(1))), (await w(2)) ** (await w(3)), await w(1) ? await w("yes") : await w("no"), (class { static x = 1; static async m() { return await w(this.x); } }).x].map(String).concat(log);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
