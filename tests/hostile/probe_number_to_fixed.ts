// toFixed at every number of digits, with ties and large numbers
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const numbers = [0.5, 1.5, 2.5, 1.005, 1.45, 8.345, 0.000001, -1.005, 1e20, 123456789.987654321, 1e21, -0, NaN, Infinity];
const told = numbers.flatMap((number) => [0, 1, 2, 3, 7, 20, 50, 100, 101, -1].map((digits) => attempt(() => number.toFixed(digits))));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
