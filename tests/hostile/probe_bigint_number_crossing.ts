// numbers from BigInt and back where rounding is to even
import { Plan, Product, Raw } from "@svc/product";

const told = [];
for (const k of [53n, 54n, 55n, 64n, 100n, 1023n]) for (const d of [-3n, -2n, -1n, 0n, 1n, 2n, 3n, 5n, 6n, 7n]) told.push([Number(2n ** k + d), BigInt(Number(2n ** k + d)) === 2n ** k + d, 2n ** k + d < Number(2n ** k), 2n ** k + d == Number(2n ** k)].join(" "));
told.push(String(Number(2n ** 1024n)), String(Number(2n ** 1024n - 2n ** 970n)), String(Number(2n ** 1024n - 2n ** 970n - 1n)));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
