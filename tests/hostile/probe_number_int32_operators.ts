// the bit operators over numbers out of their range
import { Plan, Product, Raw } from "@svc/product";

const numbers = [0, -0, 1.9, -1.9, 2 ** 31, 2 ** 32, 2 ** 32 + 1, -(2 ** 31) - 1, 2 ** 53 + 2, 1e300, NaN, -Infinity, 4294967295.999];
const told = numbers.map((a) => numbers.map((b) => [a | b, a & b, a ^ b, a << b, a >> b, a >>> b].join(",")).join(" "));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
