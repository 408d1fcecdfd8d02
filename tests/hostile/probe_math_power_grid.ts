// powers of negative, fractional and huge bases and exponents
import { Plan, Product, Raw } from "@svc/product";

const quote = (value) => (typeof value === "number" && Object.is(value, -0) ? "-0" : typeof value === "bigint" ? `${value}n` : typeof value === "symbol" || typeof value === "function" ? `<${typeof value}>` : value === undefined ? "undefined" : typeof value === "number" ? String(value) : JSON.stringify(value));
const bases = [-8, -2.5, -1, -0, 0, 0.1, 0.9999999999999999, 1, 1.0000000000000002, 1.1, 2, 3.3, 10, 1e154, 5e-324, Infinity, -Infinity, NaN];
const exponents = [-1074, -3, -2.5, -1, -0.5, -0, 0.1, 0.3333333333333333, 0.5, 1, 2, 3, 17, 22, 23, 308, 1023.9, Infinity, -Infinity, NaN];
const told = bases.map((base) => exponents.map((exponent) => quote(base ** exponent)).join(" "));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
