// row 2: an author's own class may be called Date
import { Plan, Product } from "@svc/product";

class Clock {
  static now() {
    return 5;
  }
}
const told = ((Date) => Date.now())(Clock);
//= ok product.displayName "5"
@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
