// BigInt in every radix and out of odd texts
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const big = 3n ** 200n;
const told = [];
for (let radix = 2; radix <= 36; radix++) told.push(big.toString(radix), (-big).toString(radix));
for (const text of ["", " 12 ", "0x", "0xfF", "-0x1", "0b12", "1e3", "1.0", "1n", "\n-5\t", "9".repeat(80), "+7", "--7", "0o17"]) told.push(attempt(() => BigInt(text)));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
