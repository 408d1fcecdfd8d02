// row 31: recursion through yield*
import { Plan, Product } from "@svc/product";

function* coil() {
  yield* coil();
}
try {
  coil().next();
} catch {}
//= BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
