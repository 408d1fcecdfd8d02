// the order of everything that runs when a class is defined and made
import { Plan, Product, Raw } from "@svc/product";

const log = [];
const w = (name, value = name) => (log.push(name), value);
class Base { [w("base key")] = w("base field"); static [w("base static key")] = w("base static"); constructor() { w("base constructor"); w(`target ${new.target.name}`); } }
class Derived extends (w("heritage"), Base) { static [w("k1")] = w("v1"); [w("k2")] = w("v2"); static { w("block 1"); } [w("k3")]() {} static get [w("k4")]() { return 1; } #p = w("private"); static #sp = w("static private"); static { w("block 2"); w(String(Derived.#sp)); } accessor [w("k5")] = w("v5"); constructor(x = w("default")) { w("before super"); super(); w("after super"); w(String(this.#p)); } late = w("late"); }
new Derived(); log.push("--"); new (class extends Derived { f = w("leaf"); })();
const told = log;
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
