// toPrecision and toExponential at many digits
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const numbers = [0.1, 1.25, 9.995, 99999.5, 1e-7, 1.7976931348623157e308, 5e-324, -123.456, 0];
const told = numbers.flatMap((number) => [1, 2, 3, 5, 16, 17, 21, 50, 100, 0, 101].flatMap((digits) => [attempt(() => number.toPrecision(digits)), attempt(() => number.toExponential(digits))]));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
