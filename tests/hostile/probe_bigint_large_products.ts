// products and quotients past the sizes where the algorithm changes
import { Plan, Product, Raw } from "@svc/product";

let a = 1n;
for (let i = 1n; i <= 900n; i++) a *= i;
const b = 7n ** 1500n + 12345n;
const digest = (n) => { const text = n.toString(36); return `${text.length} ${text.slice(0, 20)} ${text.slice(-20)} ${n % 1000000007n}`; };
const told = [a, b, a * b, a * a, a / b, b / (a >> 2000n), a % b, a * b * b, (a * b) / (b - 1n), -a / b, -a % b, b ** 3n, a ^ b, a & ~b].map(digest);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
