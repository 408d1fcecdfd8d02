// row 56: a class that computes its name
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
//= ok product.name "x"
export default class X {
  static get name() {
    for (;;);
  }

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
