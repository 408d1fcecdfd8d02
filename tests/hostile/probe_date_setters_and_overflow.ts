// setters with odd values, overflow of months, and dates made of parts
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const set = (method, ...args) => { const d = new Date(Date.UTC(2024, 1, 29, 12, 30, 15, 500)); const r = d[method](...args); return `${method}(${args}) ${r} ${attempt(() => d.toISOString())}`; };
const told = [["setFullYear", 2023], ["setFullYear", 0], ["setFullYear", -1, 5], ["setMonth", 12], ["setMonth", -13], ["setMonth", 1, 31], ["setDate", 0], ["setDate", 1e9], ["setDate", NaN], ["setHours", 25, 61, 61, 1001], ["setHours", "3"], ["setMinutes", -1], ["setSeconds", 1e15], ["setMilliseconds", 0.9], ["setTime", "12"], ["setTime"], ["setYear", 99], ["setYear", 100], ["setUTCFullYear", 275760, 8, 14], ["setUTCMonth", undefined], ["setUTCDate", null], ["setUTCHours", Infinity]].map(([m, ...a]) => set(m, ...a)).concat([[2024], [2024, 1], [99, 0], [100, 0], [-1, 0], [2024, 0, 1, 0, 0, 0, 1e20], [0, 0], [2024, "1", [2]], [NaN, 1], [2024, 0, 1, 24], [1.9, 1.9]].flatMap((parts) => [String(Date.UTC(...parts)), attempt(() => new Date(parts[0], parts[1] ?? 0, ...parts.slice(2)).getTime())]), [null, true, "0", [1], [2024, 1], {}, new Date(5), Object(7), 1e16, -0, Symbol.iterator, 5n, { valueOf: () => 3, toString: () => "2020" }, { [Symbol.toPrimitive]: () => "2021" }].map((v) => attempt(() => Object.is(new Date(v).getTime(), -0) ? "-0" : new Date(v).getTime())));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
