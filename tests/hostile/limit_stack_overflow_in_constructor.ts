// row 31: recursion through `new`
import { Plan, Product } from "@svc/product";

class Coil {
  inner = new Coil();
}
try {
  new Coil();
} catch {}
//= BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
