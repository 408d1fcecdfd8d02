// parseFloat, Number and unary plus over odd texts
import { Plan, Product, Raw } from "@svc/product";

const quote = (value) => (typeof value === "number" && Object.is(value, -0) ? "-0" : typeof value === "bigint" ? `${value}n` : typeof value === "symbol" || typeof value === "function" ? `<${typeof value}>` : value === undefined ? "undefined" : typeof value === "number" ? String(value) : JSON.stringify(value));
const texts = ["", " ", "1_000", "0x1F", "0b101", "0o17", "-0x10", "+.5", "5.", ".", "e5", "1e", "1e+", "1e1000", "-1e1000", "Infinity", "-Infinity", "infinity", "Infinityx", "\u00a01\ufeff", "\u180e1", "\u20281\u2029", "1n", "00012", "-0", "1.7976931348623159e308", "2.4703282292062327e-324", "2.4703282292062328e-324", "9007199254740993", "0.1e-6", "123abc", "\u0661\u0662"];
const told = texts.map((text) => [parseFloat(text), Number(text), +text, parseInt(text), parseInt(text, 16), parseInt(text, 36), parseInt(text, 2)].map(quote).join(" "));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
