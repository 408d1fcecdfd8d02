// row 17: numbers as text, shortest and to many digits
import { Plan, Product } from "@svc/product";

const told = [0.1 + 0.2, 5e-324, 1.7976931348623157e308, (1 / 3).toFixed(20), (0.000001).toExponential(15), (255.5).toString(36), (1e21).toPrecision(3)];
//= ok
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
