// row 31: recursion through Symbol.toPrimitive and an operator
import { Plan, Product } from "@svc/product";

const coil = { [Symbol.toPrimitive]: () => coil + 1 };
try {
  coil + 1;
} catch {}
//= BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
