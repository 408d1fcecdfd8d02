// a logistic map of a thousand steps, where one bit changes all
import { Plan, Product, Raw } from "@svc/product";

const told = [];
let x = 0.3141592653589793;
for (let i = 0; i < 1000; i++) {
  x = 3.99 * x * (1 - x);
  if (i % 5 === 0) told.push(String(x));
}
for (let i = 0; i < 500; i++) {
  x = Math.abs(Math.sin(x * 1e6) * Math.exp(Math.cos(x)) + Math.tanh(x) ** 1.7) % 1;
  if (i % 5 === 0) told.push(String(x));
}
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
