// how expressions without parentheses are read, after they were printed anew
import { Plan, Product, Raw } from "@svc/product";

const a = 2, b = 3, c = 5; let n = 1; const f = undefined, o = { x: { y: 7 } };
const told = [a + b * c ** a, -(a ** b), a ** -b, (-a) ** b, a - -b, a - - -b, a+ +b, !a + b, typeof a + b, void 0 ?? a, (a ?? b) || c, a && (b ?? c), a || b && c, a ? b ? 1 : 2 : 3, (a, b), (a ? b : c) + 1, a < b < c, a == b == c, a & b | c ^ a, a << b >> 1 >>> 0, !(a in { 2: 1 }), !("x" in o), -a + +b, n++ + ++n, n-- - --n, a > b === c < a, o?.x?.["y"], o?.z?.y.w.v, (o?.z)?.y, new (class { y = 1; })().y, new (class { m = class { z = 3; }; })().m.name, `${a}${`${b}${`${c}`}`}`, (() => ({}))() + "", (() => { })(), ((a) => a)`x`[0], a ? (b, c) : 0, [..."ab", ...[1]].length, +[], +{}, [] + {}, [] == ![], null >= 0, "b" + "a" + +"a" + "a", 0.1 * 3, 9 % -4, -9 % 4, 1 / -0, ~~-5.7, -0 === 0, a /b/ c, n++ /b/ 1 || 0].map((x) => (Object.is(x, -0) ? "-0" : String(x)));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
