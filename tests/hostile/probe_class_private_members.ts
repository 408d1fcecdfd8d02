// private names: brands, in, static, accessors, redefinition and subclasses
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
class P { #x = 1; #m() { return this.#x; } get #g() { return this.#x * 2; } set #g(v) { this.#x = v; } static #s = 5; static #sm() { return P.#s++; } static test(o) { return #x in o; } static read(o) { return o.#x; } static call(o) { return o.#m(); } static get(o) { return o.#g; } static set(o, v) { o.#g = v; return o.#x; } static bump() { return P.#sm() + this.#s; } static assignMethod(o) { o.#m = 1; } static optional(o) { return o?.#x; } static destructure({ ...o }) { return o.#x; } }
class Q extends P {}
class Return { constructor(o) { return o; } } class Stamp extends Return { #stamp = "stamped"; static read(o) { return o.#stamp; } static has(o) { return #stamp in o; } }
const frozen = Object.freeze({}); new Stamp(frozen);
const told = [() => P.test(new P()), () => P.test(new Q()), () => P.test({}), () => P.test(Object.create(new P())), () => P.test(new Proxy(new P(), {})), () => P.read({}), () => P.read(null), () => P.call({}), () => P.call(new Q()), () => P.get(new P()), () => P.set(new P(), 7), () => P.set({}, 7), () => P.bump(), () => Q.bump(), () => P.bump.call({}), () => P.assignMethod(new P()), () => P.optional(undefined), () => P.optional({}), () => P.destructure(new P()), () => Stamp.read(frozen), () => Stamp.has({}), () => new Stamp(frozen), () => P.test(1), () => Reflect.ownKeys(new P()).length].map(attempt);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
