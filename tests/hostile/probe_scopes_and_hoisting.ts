// functions in blocks, dead zones, shadowing, var twice and closures in parameters
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const told = [() => { { function f() { return 1; } } return typeof f; }, () => { return g(); function g() { return "hoisted"; } }, () => { try { return h; } catch (e) { return e.message; } let h; }, () => { var x = 1; { let x = 2; { var y = x; } } return `${x}${y}`; }, () => { let x = 1; { try { x; } catch (e) { return e.message; } let y = x; return y; } }, () => ((a, b = () => a, c = (a = 5)) => `${a} ${b()}`)(1), () => { var a = 1; var a; return a; }, () => typeof undeclared, () => { switch (0) { case 1: let z; case 0: try { z = 1; return z; } catch (e) { return e.message; } } }, () => { for (let i = 0; i < 1; i++) { let i = 5; return i; } }, () => { const f = function inner() { return typeof inner; }; return f() + typeof inner; }, () => { try { throw 1; } catch (e) { var e = 2; return e; } }, () => { class A { static m() { return A; } } const B = A; return B.m() === A; }, () => ((x) => { { function x() {} } return typeof x; })(1), () => { let c = 0; const o = { get a() { return c++; } }; o.a ??= 5; o.b ||= c; return `${c} ${o.b}`; }, () => { let i = 0; const l = [0, 0, 0]; l[i++] = i++; l[i++] += i++; return l.join() + i; }, () => { let a = 1; a += (a = 5, 2); return a; }, () => { let a = 1; return a + a++ + ++a * a-- - --a; }].map(attempt);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
