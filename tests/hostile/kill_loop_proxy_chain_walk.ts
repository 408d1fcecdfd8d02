// row 33: a chain of prototypes that never ends
import { Plan, Product } from "@svc/product";

const endless = new Proxy({}, { getPrototypeOf: () => endless });
const told = endless instanceof class {};
//= BUILD_TIMEOUT | BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
