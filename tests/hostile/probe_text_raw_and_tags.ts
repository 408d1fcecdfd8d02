// tags: the identity of template objects in loops, functions, classes and recursion
import { Plan, Product, Raw } from "@svc/product";

const seen = [];
const tag = (strings, ...values) => { let at = seen.indexOf(strings); if (at < 0) at = seen.push(strings) - 1; return `${at}:${JSON.stringify(strings.raw)}${JSON.stringify([...strings])}${values.join()}${Object.isFrozen(strings)}`; };
const told = [];
const f = (n) => tag`f${n}`;
for (let i = 0; i < 3; i++) told.push(tag`loop ${i}`, f(i));
class A { static x = tag`class`; m() { return tag`method`; } }
told.push(A.x, new A().m(), new A().m(), ((n) => { const g = (k) => (k ? g(k - 1) + tag`g` : ""); return g(n); })(3), tag`\u{41}\x41\n\
`, tag``, tag`${1}${2}`, tag`loop ${9}`, String.raw`\u0041${1}\n`, String.raw({ raw: "abc" }, 1, 2, 3), String.raw({ raw: { length: 2, 0: "x", 1: "y" } }, "-"));
for (const g of [function* () { yield tag`gen`; yield tag`gen`; }]) told.push(...g(), ...g());
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
