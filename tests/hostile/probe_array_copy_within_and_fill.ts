// copyWithin, fill, splice and with at signed and fractional positions
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const positions = [0, 1, 3, 5, 9, -1, -3, -9, 1.9, NaN, "2", undefined];
const told = positions.flatMap((a) => positions.map((b) => [attempt(() => [1, 2, 3, 4, 5].copyWithin(a, b).join("")), attempt(() => [1, 2, 3, 4, 5].fill(0, a, b).join("")), attempt(() => [1, 2, 3, 4, 5].toSpliced(a, b, "x").join("")), attempt(() => [1, 2, 3, 4, 5].with(a, b).join("")), attempt(() => [1, 2, 3, 4, 5].slice(a, b).join(""))].join(" ")));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
