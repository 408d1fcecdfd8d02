// row 65: the class itself is thenable
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com", displayName: "real" })
//= ok product.displayName "real"
export default class X {
  static then(resolve) {
    resolve(class Forged {});
  }

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
