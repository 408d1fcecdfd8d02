// Date as a value: subclasses, arithmetic, comparison, keys, and its own keys
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
class Day extends Date { get iso() { return this.toISOString().slice(0, 10); } static of(t) { return new this(t); } }
const a = new Date(1e12), b = Day.of("2026-05-05");
const told = [() => b.iso, () => b instanceof Date, () => b.constructor.name, () => a - b, () => a + b, () => a < b, () => +a, () => `${a}`, () => JSON.stringify({ a, b }), () => Object.keys(a).length, () => Reflect.ownKeys(Date).map(String).join(), () => Reflect.ownKeys(Date.prototype).map(String).join(), () => Date.length, () => Date.name, () => new Date(a).getTime() === a.getTime(), () => Object.prototype.toString.call(b), () => Date.prototype.constructor === Date, () => Date.prototype.getTime(), () => new Date(2020, 0).getTime(), () => Day.UTC === Date.UTC, () => new Map([[a, 1]]).get(new Date(1e12)), () => [new Date(3), new Date(1)].sort((x, y) => x - y).map(Number), () => Object.assign(new Date(1), { x: 2 }).x, () => Date.prototype[Symbol.toPrimitive].call({ toString: () => "t" }, "default"), () => Date.prototype[Symbol.toPrimitive].call(a, "x"), () => Date.prototype.toJSON.call({ toISOString: () => "own" }), () => Date.prototype.toJSON.call({ valueOf: () => NaN, toISOString: 1 }), () => new Date(new Proxy({}, { get: (_, k) => (k === Symbol.toPrimitive ? () => 77 : undefined) })).getTime(), () => Date.prototype.toGMTString === Date.prototype.toUTCString].map(attempt);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
