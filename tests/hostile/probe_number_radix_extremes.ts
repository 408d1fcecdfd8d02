// the largest, smallest and subnormal numbers in odd radixes
import { Plan, Product, Raw } from "@svc/product";

const numbers = [Number.MAX_VALUE, Number.MIN_VALUE, 2 ** -1022, 2 ** -1022 - 2 ** -1074, 1 - 2 ** -53, 1 + 2 ** -52];
const told = [2, 3, 7, 16, 29, 36].flatMap((radix) => numbers.map((number) => number.toString(radix)));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
