// sqrt, cbrt and hypot over a grid, with many arguments
import { Plan, Product, Raw } from "@svc/product";

const told = [];
for (let i = 1; i <= 120; i++) {
  const x = i * 2.718281828459045;
  told.push([Math.sqrt(x), Math.cbrt(x), Math.cbrt(-1 / x), Math.hypot(x, i), Math.hypot(x, i, 1 / x, 3, 4), Math.hypot(x * 1e300, x * 1e300), Math.hypot(...Array.from({ length: i % 9 }, (_, k) => k / x))].join(" "));
}
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
