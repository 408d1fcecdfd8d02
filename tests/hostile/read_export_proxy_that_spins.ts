// row 56: nor is it asked anything for long
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
export default new Proxy(X, { getOwnPropertyDescriptor() { for (;;); } });
//? DEFAULT_EXPORT_NOT_PRODUCT
