// sums where the order would matter, by Math.sumPrecise where it is there and by hand
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const lists = [[1e308, 1e308, -1e308], [0.1, 0.2, 0.3, -0.6], [1e16, 1, -1e16], [], [-0], [-0, 0], [NaN], [Infinity, -Infinity], Array.from({ length: 100 }, (_, i) => 1 / (i + 1)), ["1"], [1n]];
const told = lists.map((list) => [attempt(() => Math.sumPrecise(list)), attempt(() => list.reduce((a, b) => a + b, 0))].join(" "));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
