// row 60: the hook of a subclass while the host formats what was thrown
import { Plan, Product } from "@svc/product";

class Mine extends Error {
  static prepareStackTrace() {
    for (;;);
  }
}
throw new Mine("x");
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
