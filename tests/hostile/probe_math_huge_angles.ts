// angles of every size up to the largest number, which take a reduction by many digits of pi
import { Plan, Product, Raw } from "@svc/product";

const told = [];
const bits = (x) => { const v = new DataView(new ArrayBuffer(8)); v.setFloat64(0, x); return v.getBigUint64(0).toString(16); };
for (let e = 0; e < 1024; e += 7) { const x = 1.2345678901234567 * 2 ** e; told.push([Math.sin(x), Math.cos(x), Math.tan(x), Math.sin(-x / 3)].map(bits).join()); }
for (const x of [6381956970095103 * 2 ** 797, 1e22, Number.MAX_VALUE, 2 ** 53 + 2, Math.PI * 2 ** 40, 710.4758600739439, -745.1332191019412, 709.782712893384]) told.push(["sin", "cos", "tan", "exp", "expm1", "sinh", "cosh", "tanh", "asinh", "atan", "cbrt", "log", "log1p"].map((f) => bits(Math[f](x))).join());
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
