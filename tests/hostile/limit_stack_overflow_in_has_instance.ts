// row 31: recursion through instanceof
import { Plan, Product } from "@svc/product";

const coil = { [Symbol.hasInstance]: (value) => value instanceof coil };
try {
  ({}) instanceof coil;
} catch {}
//= BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
