// row 31: a Proxy that is its own prototype, so that a lookup never ends
import { Plan, Product } from "@svc/product";

const coil = new Proxy({}, {});
Object.setPrototypeOf(coil, Object.create(coil));
try {
  coil.x;
} catch {}
//= BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
