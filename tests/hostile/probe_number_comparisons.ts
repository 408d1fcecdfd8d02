// every comparison of every pair of odd values
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const values = [0, -0, NaN, "", "0", " ", null, undefined, true, false, [], [0], {}, "a", 0n, 1n, Infinity, "1n", [[]], new Date(0), Symbol.iterator];
const told = values.map((a) => values.map((b) => ["<", ">", "<=", ">=", "==", "===", "is"].map((op, i) => attempt(() => [() => a < b, () => a > b, () => a <= b, () => a >= b, () => a == b, () => a === b, () => Object.is(a, b)][i]()).slice(0, 9).replace("true", "t").replace("false", "f")).join("")).join(" "));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
