// shifts, asIntN and asUintN at every width
import { Plan, Product, Raw } from "@svc/product";

const values = [-(2n ** 70n) + 12345n, 2n ** 65n - 1n, -1n, 0x123456789abcdef0123456789n];
const told = [];
for (let bits = 0; bits <= 130; bits += 5) told.push(values.map((value) => [BigInt.asIntN(bits, value), BigInt.asUintN(bits, value), value << BigInt(bits), value >> BigInt(bits), value >> -BigInt(bits % 40)].join(",")).join(" "));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
