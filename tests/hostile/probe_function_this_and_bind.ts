// this in functions, arrows, methods, getters and bound functions of bound functions
import { Plan, Product, Raw } from "@svc/product";

const quote = (value) => (typeof value === "number" && Object.is(value, -0) ? "-0" : typeof value === "bigint" ? `${value}n` : typeof value === "symbol" || typeof value === "function" ? `<${typeof value}>` : value === undefined ? "undefined" : typeof value === "number" ? String(value) : JSON.stringify(value));
function self() { return this; }
const o = { self, arrow: () => this, get g() { return this === o; }, nested() { return [1].map(() => this === o)[0]; }, inner() { return (function () { return this; })(); } };
const twice = self.bind(1).bind(2); const bound = function (...args) { return `${this} ${args} ${new.target}`; }.bind("t", 1, 2);
const told = [self(), o.self() === o, (0, o.self)(), (o.self)() === o, o.arrow(), o.g, o.nested(), o.inner(), self.call(5), self.call(null), self.apply("x"), twice(), bound(3), twice.name, String(bound.length), new (function () { this.a = new.target.name; })().a, Reflect.construct(function () { return Object(new.target.name); }, [], class Target {}) + "", o?.self() === o, (o.self)`` === o, [self][0]().length].map(quote);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
