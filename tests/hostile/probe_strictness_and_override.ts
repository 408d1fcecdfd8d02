// assignments that the hardened world treats in its own way, and their messages
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
class E1 extends Error { constructor() { super("m"); this.name = "E1"; this.toString = () => "own"; } }
class L extends Array { constructor() { super(); this.values = 5; } }
const told = [() => String(new E1()), () => new L().values, () => { const o = {}; o.toString = () => "own"; return String(o); }, () => { const o = { valueOf: 1 }; o.constructor = 5; return o.constructor; }, () => { const m = new Map(); m.get = 1; return m.get; }, () => { const f = () => {}; f.call = 1; return f.call; }, () => { [].map = 1; }, () => { Array.prototype.x = 1; }, () => { Object.prototype.x = 1; }, () => { ({}).__proto__ = null; return "ok"; }, () => Object.assign(Object.create(null), { toString: 1 }).toString, () => { const o = Object.create({ get x() { return 1; } }); o.x = 2; }, () => { globalThis.y = 1; }, () => { undefined = 1; }, () => { NaN = 1; }, () => { Math.PI = 3; }, () => { delete Array.prototype.map; }, () => { delete globalThis.Math; }, () => { const p = new Proxy([], {}); p.map = 1; return p.map; }, () => { const d = new Date(0); d.toJSON = () => "own"; return JSON.stringify(d); }, () => { const r = /x/; r.exec = () => ["own"]; return "x".match(r)[0]; }, () => { const p = Promise.resolve(); p.then = 1; return p.then; }, () => { Object.defineProperty([], "map", { value: 1 }).map; return "defined"; }, () => { class A { map = 1; } return Reflect.ownKeys(new A()).join(); }, () => { class A extends Array { map = 1; } return new A().map; }, () => { function F() {} F.prototype = { constructor: F }; F.prototype.toString = () => "F"; return `${new F()}`; }, () => { const s = Object(Symbol()); s.description = 1; }, () => { Error.stackTraceLimit = 5; return Error.stackTraceLimit; }, () => { Error.captureStackTrace = 1; }, () => { RegExp.lastIndex = 1; }, () => { RegExp.input = "x"; return RegExp.input; }, () => ({}.hasOwnProperty.call(Error.prototype, "name")), () => JSON.stringify(Object.getOwnPropertyDescriptor(Error.prototype, "name")), () => Object.keys(Object.getOwnPropertyDescriptor(Object.prototype, "toString")).join(), () => Object.getOwnPropertyDescriptor(Object.prototype, "toString").get.name, () => { "use strict"; Object.prototype.toString = 1; }, () => Object.getOwnPropertyDescriptor(Error.prototype, "message").set.call(5, 1), () => Object.getOwnPropertyDescriptor(Error.prototype, "message").set.call(null, 1), () => Object.getOwnPropertyDescriptor(Error.prototype, "message").set.call(Object.freeze({}), 1)].map(attempt);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
