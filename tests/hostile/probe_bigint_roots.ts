// integer roots by Newton, which only exact arithmetic ends
import { Plan, Product, Raw } from "@svc/product";

const root = (n) => { let x = 1n << BigInt(n.toString(2).length / 2 + 1 | 0); for (;;) { const y = (x + n / x) >> 1n; if (y >= x) return x; x = y; } };
const told = [];
for (let i = 1n; i <= 60n; i++) told.push(String(root(i ** 40n + i)));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
