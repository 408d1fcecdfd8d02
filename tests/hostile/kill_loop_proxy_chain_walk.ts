// row 33: a chain of prototypes that never ends, walked again when the engine gives it up
import { Plan, Product } from "@svc/product";

const endless = new Proxy({}, { getPrototypeOf: () => endless });
for (;;) {
  try {
    endless instanceof class {};
  } catch {}
}
//= BUILD_TIMEOUT | BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
