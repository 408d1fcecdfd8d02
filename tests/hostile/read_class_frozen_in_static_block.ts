// row 56: a frozen class is a product like any other
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
//= ok product.name "x"
export default class X {
  static {
    Object.freeze(this);
    Object.freeze(this.prototype);
  }

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
