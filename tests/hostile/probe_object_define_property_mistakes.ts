// the messages of definitions that are refused
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const frozen = Object.freeze({ a: 1 }); const sealed = Object.seal({ a: 1 }); const closed = Object.preventExtensions({ a: 1 });
const told = [() => Object.defineProperty(frozen, "a", { value: 2 }), () => Object.defineProperty(frozen, "b", { value: 2 }), () => { frozen.a = 2; }, () => { sealed.b = 1; }, () => delete sealed.a, () => { closed.b = 1; }, () => Object.defineProperty({}, "a", { get: 1 }), () => Object.defineProperty({}, "a", { get() {}, value: 1 }), () => Object.defineProperty(1, "a", {}), () => Object.defineProperty({}, "a", 1), () => Object.defineProperty({}, { toString() { throw new RangeError("key"); } }, {}), () => Object.setPrototypeOf(closed, {}), () => Object.setPrototypeOf({}, 1), () => { const a = {}, b = Object.create(a); Object.setPrototypeOf(a, b); }, () => Object.create(1), () => Object.create({}, { a: 1 }), () => { "use strict"; ({ get a() { return 1; } }).a = 2; }, () => { "abc".length = 1; }, () => { "abc"[0] = "x"; }, () => { Object.freeze([1]).push(2); }, () => { Object.defineProperty([], "length", { value: -1 }); }, () => { const l = Object.defineProperty([1, 2], 0, { configurable: false }); l.length = 0; }, () => Object.assign(frozen, { a: 3 }), () => Object.fromEntries([1]), () => Object.fromEntries(1), () => Object.entries(null), () => { null.a; }, () => { undefined.a = 1; }, () => { (5).a = 1; }, () => { delete Object.freeze([1])[0]; }].map(attempt);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
