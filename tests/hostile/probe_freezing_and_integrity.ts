// frozen, sealed and closed: of lists, functions, classes, namespaces, arguments and errors
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const values = () => [{ a: 1, get b() { return 2; } }, [1, 2], function f() {}, class C { static x = 1; }, new Error("e"), new Map([[1, 2]]), new Date(0), /x/g, (function () { return arguments; })(1), new (class { #p = 1; set(v) { this.#p = v; return this.#p; } })(), Object("ab"), Symbol.prototype, globalThis, Math, [].map];
const told = ["freeze", "seal", "preventExtensions"].flatMap((how) => values().map((v) => { Object[how](v); return [() => Object.isFrozen(v), () => Object.isSealed(v), () => { v.a = 9; return v.a; }, () => { v.zzz = 1; return "added"; }, () => delete v.a, () => { v[0] = 5; return v[0]; }, () => v.set?.(3, 4) && "set", () => { v.lastIndex = 3; return v.lastIndex; }, () => { v.message = "m"; return v.message; }, () => v.setTime?.(5)].map(attempt).join(" | "); }));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
