// row 56: a class whose prototype no longer says whose it is
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  static {
    this.prototype.constructor = Object;
  }

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DECORATOR_MISUSE
  free!: void;
}
