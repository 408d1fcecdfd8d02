// row 31: recursion through a trap
import { Plan, Product } from "@svc/product";

const coil = new Proxy({}, { get: (_, key) => coil[key] });
try {
  coil.x;
} catch {}
//= BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
