// row 33: loops that go on in each other
import { Plan, Product } from "@svc/product";

outer: for (;;) {
  inner: for (;;) {
    if (Math.abs(-1) === 1) continue outer;
    break inner;
  }
}
//= BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
