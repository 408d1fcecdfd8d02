// every function of Math at the values that have rules of their own
import { Plan, Product, Raw } from "@svc/product";

const quote = (value) => (typeof value === "number" && Object.is(value, -0) ? "-0" : typeof value === "bigint" ? `${value}n` : typeof value === "symbol" || typeof value === "function" ? `<${typeof value}>` : value === undefined ? "undefined" : typeof value === "number" ? String(value) : JSON.stringify(value));
const values = [0, -0, 1, -1, NaN, Infinity, -Infinity, 5e-324, 1.7976931348623157e308, 0.5, 2, undefined, null, "3", [], {}, true];
const names = Object.getOwnPropertyNames(Math).filter((name) => typeof Math[name] === "function" && name !== "random" && name !== "sumPrecise").sort();
const told = names.map((name) => `${name} ${values.map((x) => quote(Math[name](x, 3))).join(" ")}`);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
