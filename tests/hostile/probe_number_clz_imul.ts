// clz32, imul and fround over a walk of bits
import { Plan, Product, Raw } from "@svc/product";

const told = [];
for (let bit = 0; bit < 64; bit++) {
  const x = 2 ** bit - 1;
  told.push([Math.clz32(x), Math.imul(x, x + 3), Math.imul(-x, 0x9e3779b9), Math.fround(x * 1.1), Math.fround(1 / (x + 1))].join(" "));
}
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
