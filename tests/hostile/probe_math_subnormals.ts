// the smallest numbers, and the edges of what each function of Math can say
import { Plan, Product, Raw } from "@svc/product";

const told = [];
const bits = (x) => { const v = new DataView(new ArrayBuffer(8)); v.setFloat64(0, x); return v.getBigUint64(0).toString(16); };
const tiny = [2 ** -1074, 3 * 2 ** -1074, 2 ** -1022, 2 ** -1022 - 2 ** -1074, 2 ** -1023, 1e-310, 2.2250738585072014e-308, 2 ** -149, 2 ** -126, 2 ** -25];
for (const name of ["exp", "expm1", "log", "log1p", "log2", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "cbrt", "sqrt", "fround", "f16round", "round", "sign", "trunc", "floor", "ceil", "abs"]) {
  let sum = name; for (const x of tiny) for (const y of [x, -x, 1 - x, 1 + x, 1 / x]) sum += ` ${bits(Math[name](y))}`; told.push(sum);
}
for (const x of tiny) for (const y of tiny) told.push([x ** y, y ** -x, x * y, x / y, x % y, Math.atan2(x, y), Math.hypot(x, y), x - y].map(bits).join());
for (const e of [-1074.5, -1074, -1022.5, 1023.9999, 1024]) told.push([2 ** e, Math.pow(2, e), Math.exp(e * Math.LN2)].map(bits).join());
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
