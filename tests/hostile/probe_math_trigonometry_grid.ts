// sin, cos, tan and their inverses over a grid, with huge angles
import { Plan, Product, Raw } from "@svc/product";

const told = [];
for (let i = -30; i <= 90; i++) {
  const x = i < 60 ? i * 0.3819660112501051 : 1.7 ** (i - 30);
  told.push([Math.sin(x), Math.cos(x), Math.tan(x), Math.asin(x / 40), Math.acos(x / 40), Math.atan(x), Math.atan2(x, i)].join(" "));
}
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
