// numbers in every radix, 2 to 36, fractions and all
import { Plan, Product, Raw } from "@svc/product";

const numbers = [0.1, 1 / 3, 123.456, 2 ** 53, 2 ** -30, 1e21, 1e-7, 4294967295.5, -0.75, Number.MIN_VALUE * 2 ** 60];
const told = [];
for (let radix = 2; radix <= 36; radix++) told.push(numbers.map((number) => number.toString(radix)).join(" "));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
