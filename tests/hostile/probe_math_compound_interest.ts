// a loop of rounding that drifts when one bit differs
import { Plan, Product, Raw } from "@svc/product";

const told = [];
let sum = 1000;
for (let year = 1; year <= 200; year++) {
  sum = Math.round(sum * (1 + 0.0375 / 12) ** 12 * 1e6) / 1e6 - Math.sin(year) * Math.log(year) - Math.atan2(year, sum);
  told.push(String(sum));
}
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
