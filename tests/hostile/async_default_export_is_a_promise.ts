// row 65: a promise of a product is no product
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
export default Promise.resolve(X);
//? DEFAULT_EXPORT_NOT_PRODUCT
