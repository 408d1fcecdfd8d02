// enums that the compiler folds, with every operator, beside the same at run time
import { Plan, Product, Raw } from "@svc/product";

enum Folded { add = 1.1 + 2.2, sub = 1e21 - 1, mul = 3.3 * 1.1, div = 1 / 3, mod = -7.5 % 2, pow = 1.1 ** 31, shl = 1 << 33, shr = -9 >> 1, shru = -9 >>> 1, and = 0xffffffff & 0xf0f0f0f0, or = 2 ** 31 | 1, xor = -1 ^ 2 ** 32, not = ~2147483648, neg = -0.1, pos = +1e-7, nested = (1 + 2) * (3 - 4) / 7, inf = 1 / 0, nan = 0 / 0, text = `a${1}b`, joined = "x" + 1e21, huge = 2 ** 1023 * 1.9 }
const v = (x) => x;
const run = [v(1.1) + 2.2, v(1e21) - 1, v(3.3) * 1.1, v(1) / 3, v(-7.5) % 2, v(1.1) ** 31, v(1) << 33, v(-9) >> 1, v(-9) >>> 1, v(0xffffffff) & 0xf0f0f0f0, v(2) ** 31 | 1, v(-1) ^ v(2) ** 32, ~v(2147483648), -v(0.1), +v(1e-7), (v(1) + 2) * (v(3) - 4) / 7, v(1) / 0, v(0) / 0, `a${v(1)}b`, v("x") + 1e21, v(2) ** 1023 * 1.9];
const names = ["add", "sub", "mul", "div", "mod", "pow", "shl", "shr", "shru", "and", "or", "xor", "not", "neg", "pos", "nested", "inf", "nan", "text", "joined", "huge"];
const told = names.map((name, i) => `${name} ${Folded[name]} ${run[i]} ${Object.is(Folded[name], run[i])}`);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
