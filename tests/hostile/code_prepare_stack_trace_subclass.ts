// row 60: the hook on a subclass of one's own, which V8 does not ask
import { Plan, Product } from "@svc/product";

let called = 0;
class Mine extends Error {
  static prepareStackTrace(_, frames) {
    called++;
    return frames;
  }
}
String(new Mine("x").stack);
//= ok product.displayName "0"
@Product({ name: "x", origin: "https://api.example.com", displayName: String(called) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
