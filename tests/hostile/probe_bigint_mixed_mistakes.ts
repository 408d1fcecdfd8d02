// BigInt mixed with everything else
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const others = [1, 1.5, "2", "x", null, undefined, true, {}, [], [3n], Symbol.iterator, NaN, Infinity];
const told = others.map((other) => [() => 5n + other, () => 5n * other, () => 5n < other, () => 5n == other, () => BigInt(other), () => 2n ** other, () => Math.max(5n, other), () => Number(5n) + Number(other), () => BigInt.asIntN(other, 5n), () => [5n].includes(other)].map(attempt).join(" | "));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
