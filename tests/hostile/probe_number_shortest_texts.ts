// the shortest text of three hundred numbers made by multiplication
import { Plan, Product, Raw } from "@svc/product";

const told = [];
let number = 1.0000000000000002;
for (let i = 0; i < 300; i++) {
  number = (number * 1664525.013904223) % 4.294967296e12;
  told.push(String(number), String(1 / number));
}
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
