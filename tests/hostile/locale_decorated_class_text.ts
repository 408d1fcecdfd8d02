// row 26: the text of the product's own class
import { Plan, Product } from "@svc/product";

class Base {
  @Plan("unused")
  unused!: void;
}
//? DECORATOR_MISUSE
@Product({ name: "x", origin: "https://api.example.com", displayName: String(Base) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
