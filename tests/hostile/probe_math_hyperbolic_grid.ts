// sinh, cosh, asinh, acosh, atanh and tanh over a grid
import { Plan, Product, Raw } from "@svc/product";

const told = [];
for (let i = -60; i <= 60; i++) {
  const x = i * 0.31830988618379067;
  told.push([Math.sinh(x), Math.cosh(x), Math.tanh(x), Math.asinh(x), Math.acosh(1 + Math.abs(x)), Math.atanh(x / 20)].join(" "));
}
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
