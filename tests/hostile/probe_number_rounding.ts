// every way to round, at halves, above 2^52 and below zero
import { Plan, Product, Raw } from "@svc/product";

const quote = (value) => (typeof value === "number" && Object.is(value, -0) ? "-0" : typeof value === "bigint" ? `${value}n` : typeof value === "symbol" || typeof value === "function" ? `<${typeof value}>` : value === undefined ? "undefined" : typeof value === "number" ? String(value) : JSON.stringify(value));
const numbers = [0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, -0.49999999999999994, 4503599627370495.5, 4503599627370496.5, 9007199254740991, -0, 1e-323, -1e-323, 1.4999999999999998];
const told = numbers.map((x) => [Math.round(x), Math.trunc(x), Math.floor(x), Math.ceil(x), Math.fround(x), Math.f16round?.(x), Math.sign(x), x | 0].map(quote).join(" "));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
