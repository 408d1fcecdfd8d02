// own keys of functions and classes of all kinds, in order, after additions and deletions
import { Plan, Product, Raw } from "@svc/product";

const f = function (a, b) {}; delete f.length; f.z = 1; f.a = 2; f[5] = 3; Object.defineProperty(f, "length", { value: 7, configurable: true });
class C { static b = 1; static a = 2; static 3 = 3; static name = "n"; static #h = 1; static get g() { return 1; } static [Symbol.for("s")] = 1; static { this.late = 1; } static length = 9; }
class D extends C { static own = 1; }
const told = [f, C, D, () => {}, function () {}, function* () {}, async () => {}, async function* () {}, ({ m() {} }).m, class {}, class extends C {}, f.bind(), Plan, Array, Map.groupBy, Symbol].map((x) => Reflect.ownKeys(x).map(String).join()).concat(Object.keys(C).join(), Object.keys(D).join(), JSON.stringify({ ...C }), JSON.stringify(Object.getOwnPropertyDescriptor(C, "name")));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
