// every operator of BigInt over signed operands of many lengths
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const numbers = [0n, 1n, -1n, 7n, -7n, 2n ** 64n, -(2n ** 64n) + 1n, 12345678901234567890123n, -(10n ** 40n)];
const told = numbers.map((a) => numbers.map((b) => ["+", "-", "*", "/", "%", "&", "|", "^"].map((_, i) => attempt(() => [() => a + b, () => a - b, () => a * b, () => a / b, () => a % b, () => a & b, () => a | b, () => a ^ b][i]())).join(" ")).join(" ; "));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
