// names of functions that parentheses, commas and casts keep anonymous
import { Plan, Product, Raw } from "@svc/product";

let a, b, c, d, e, f, g; (a) = function () {}; (b) = () => {}; (c) = class {}; d = (0, () => {}); e = (() => {}) as any; f = (function () {})!; g ??= ((class {}));
const o: any = { p: (() => {}), q: (0, function () {}), r: (class {}), s: ((() => {}) as any), t: <any>(() => {}) }; let [h = (() => {})] = [] as any; let { i = ((class {})) } = {} as any; (o.u) = () => {}; o["v"] = function () {}; let j = (class { static name2 = this.name; }); class K { x = (() => {}); static y = ((class {})); #z = (function () {}); z = () => this.#z.name; }
const told = [a.name, b.name, c.name, d.name, e.name, f.name, g.name, o.p.name, o.q.name, o.r.name, o.s.name, o.t.name, h.name, i.name, o.u.name, o.v.name, j.name, j.name2, new K().x.name, K.y.name, new K().z(), ((x = () => {}) => x.name)(), ((x = (class {})) => x.name)(), (() => {}).name, [() => {}][0].name, (true ? () => {} : 0).name].map((n) => JSON.stringify(n));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
