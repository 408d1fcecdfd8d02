// the module is strict: what sloppy code would do otherwise
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const told = [() => (function () { return typeof this; })(), () => { undeclared = 1; }, () => { delete Object.prototype; }, () => { (function f() { f = 1; })(); }, () => { Object.freeze([]).x = 1; }, () => { arguments; }, () => (function (a) { a = 2; return arguments[0]; })(1), () => (function () { return this; }).call(5), () => typeof (function () { return this; }).call("s"), () => { "x".y = 1; }, () => { ({ get a() { return 1; } }).a = 1; }, () => { { function block() {} } return typeof block; }, () => (function () { return arguments.callee; })(), () => (function f() { return f.caller; })(), () => Object.getOwnPropertyNames(function () {}).join(), () => { var eval2 = 1; return eval2; }, () => { globalThis.undefined = 1; }, () => [..."\u0031"].join(), () => typeof globalThis.this, () => this === undefined, () => (() => this)() === undefined, () => { const o = Object.create(null, { a: { value: 1 } }); o.a = 2; }].map(attempt);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
