// super in methods, statics, getters, setters, literals and arrows
import { Plan, Product, Raw } from "@svc/product";

const log = [];
class A { get v() { return `A.v(${this.n})`; } set v(x) { log.push(`A.v=${x} on ${this.n}`); } m() { return `A.m(${this.n})`; } static m() { return `A.static(${this.name})`; } n = "a"; }
class B extends A { n = "b"; get v() { return `B<${super.v}>`; } set v(x) { super.v = x + 1; } m() { return (() => `B<${super.m()}>`)(); } static m() { return `B<${super.m()}>`; } ["c" + 1]() { return super["m"](); } set w(x) { super.own = x; } async am() { return `async ${super.m()}`; } *gm() { yield super.m(); } static f = super.m; static g = () => super.m(); }
const b = new B(); b.v = 1; b.w = 5;
const literal = { __proto__: b, m() { return `L<${super.m()}>`; }, get v() { return `L<${super.v}>`; }, n: "l" };
const moved = { m: literal.m, n: "moved" };
const told = [b.v, b.m(), B.m(), b.c1(), String(b.own), await b.am(), [...b.gm()].join(), B.f(), B.g(), literal.m(), literal.v, moved.m(), Object.keys(b).join(), B.prototype.m.call({ n: "other" }), ...log];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
