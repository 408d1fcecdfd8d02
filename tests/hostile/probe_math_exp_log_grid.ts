// exp, expm1, log, log1p, log2 and log10 over a grid
import { Plan, Product, Raw } from "@svc/product";

const told = [];
for (let i = -40; i <= 80; i++) {
  const x = i * 0.7390851332151607;
  told.push([Math.exp(x), Math.expm1(x), Math.log(Math.abs(x)), Math.log1p(Math.abs(x)), Math.log2(Math.abs(x)), Math.log10(Math.abs(x))].join(" "));
}
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
