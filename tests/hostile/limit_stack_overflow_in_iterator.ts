// row 31: recursion through spread
import { Plan, Product } from "@svc/product";

const coil = { [Symbol.iterator]: () => [...coil] };
try {
  [...coil];
} catch {}
//= BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
