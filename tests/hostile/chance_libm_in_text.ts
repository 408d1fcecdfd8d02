// row 17: functions whose last bit is the library's own
import { Plan, Product } from "@svc/product";

const told = [Math.sin(1e22), Math.cosh(1), 2 ** 0.5, Math.pow(2, 0.1), Math.exp(1), Math.tan(1e300), Math.atan2(1, 3), Math.cbrt(3), Math.expm1(1e-10), Math.hypot(1, 2, 3), Math.log10(3), 1.1 ** 100];
//= ok
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
