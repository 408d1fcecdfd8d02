// products that are added: one rounding for both would give other bits
import { Plan, Product, Raw } from "@svc/product";

const told = [];
let seed = 88172645463325252n; const next = () => { seed ^= (seed << 13n) & 0xffffffffffffffffn; seed ^= seed >> 7n; seed ^= (seed << 17n) & 0xffffffffffffffffn; return Number(seed & 0x1fffffffffffffn) / 2 ** 53 + 0.5; };
let fused = 0; let sum = 0;
for (let i = 0; i < 4000; i++) {
  const a = next(), b = next(), c = -(a * b);
  const rest = a * b + c; if (rest !== 0) fused++;
  const d = next(); sum = sum * 0.999 + a * d - b * c;
  const dot = a * a - b * b + (a - b) * (a + b) * -1; if (i % 100 === 0) told.push(String(dot));
}
told.push(String(fused), String(sum), String([0.1, 0.2, 0.3].reduce((x, y) => x * 3 + y)));
const poly = (x) => ((((((1.1 * x + 2.2) * x - 3.3) * x + 4.4) * x - 5.5) * x + 6.6) * x - 7.7); for (let x = -3; x < 3; x += 0.37) told.push(String(poly(x)));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
