// row 56: a Proxy of the product is not the product
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
export default new Proxy(X, {});
//? DEFAULT_EXPORT_NOT_PRODUCT
