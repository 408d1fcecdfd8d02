// names and lengths of functions made in forty ways
import { Plan, Product, Raw } from "@svc/product";

const s = Symbol("sym"); const e = Symbol(); const key = "computed";
const [d = () => {}] = []; const { p = function () {} } = {}; let a; a = () => {}; let b = (() => {}); let c; [c = class {}] = []; const or = null ?? (() => {}); let q; q ||= () => {}; let bare; (bare) = function () {};
class K { m() {} static s() {} get g() { return 1; } #p() {} static p(k) { return k.#p; } f = () => {}; static sf = function () {}; [s]() {} [e]() {} [key]() {} ["a" + 1] = () => {}; async am() {} *gm() {} async *agm() {} static name2 = class {}; static { this.blk = () => {}; } }
const o = { x: () => {}, f() {}, get g() { return 1; }, set g(v) {}, [s]: () => {}, [e]: function () {}, 1: () => {}, "a b": () => {}, __proto__: () => {}, async: async () => {}, cls: class {}, named: class Own {}, named2: function own() {} };
const told = [d, p, a, b, c, or, q, bare, K, K.prototype.m, K.s, Object.getOwnPropertyDescriptor(K.prototype, "g").get, K.p(new K()), new K().f, K.sf, K.prototype[s], K.prototype[e], K.prototype[key], new K().a1, K.prototype.am, K.prototype.gm, K.prototype.agm, K.name2, K.blk, o.x, o.f, Object.getOwnPropertyDescriptor(o, "g").set, o[s], o[e], o[1], o["a b"], o.async, o.cls, o.named, o.named2, (function () {}).bind(), function bound(a, b) {}.bind(null, 1), (class { static name() {} }), class { static name = "own"; }, (0, () => {}), ((x) => x)(() => {}), (a, b = 1, c) => {}, (...r) => {}, ({ a }, [b]) => {}, Proxy, Symbol, Date, Array.from, [].map, parseInt, isNaN, Math.max, JSON.parse, Object.getOwnPropertyDescriptor(Map.prototype, "size").get, Promise.prototype.then].map((f) => `${typeof f.name === "function" ? "fn" : String(f?.name)}/${f?.length}`);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
