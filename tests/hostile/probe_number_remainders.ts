// remainders of signed, fractional and huge numbers
import { Plan, Product, Raw } from "@svc/product";

const quote = (value) => (typeof value === "number" && Object.is(value, -0) ? "-0" : typeof value === "bigint" ? `${value}n` : typeof value === "symbol" || typeof value === "function" ? `<${typeof value}>` : value === undefined ? "undefined" : typeof value === "number" ? String(value) : JSON.stringify(value));
const numbers = [5.5, -5.5, 0, -0, 1e308, 3, -3, 2 ** 53, 0.1, 1e-320, Infinity, NaN, 7.000000000000001];
const told = numbers.flatMap((a) => numbers.map((b) => quote(a % b)));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
