// row 56: nor does asking it last longer than a build may
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
export default new Proxy(X, { getOwnPropertyDescriptor() { for (;;); } });
//= BUILD_TIMEOUT
