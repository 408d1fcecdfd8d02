// min, max and hypot with hundreds of arguments and none
import { Plan, Product, Raw } from "@svc/product";

const quote = (value) => (typeof value === "number" && Object.is(value, -0) ? "-0" : typeof value === "bigint" ? `${value}n` : typeof value === "symbol" || typeof value === "function" ? `<${typeof value}>` : value === undefined ? "undefined" : typeof value === "number" ? String(value) : JSON.stringify(value));
const many = Array.from({ length: 500 }, (_, i) => ((i * 7919) % 1009) - 500.5);
const told = [Math.max(...many), Math.min(...many), Math.hypot(...many), Math.max(), Math.min(), Math.max(-0, 0), Math.min(0, -0), Math.max(NaN, 1), Math.min(1, "x"), Math.max([3]), Math.max({ valueOf: () => 9 }, 4)].map(quote);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
