// row 54: a computed name that turns out to be a number
import { Plan, Product } from "@svc/product";

const name = [1, 2].length;
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DECORATOR_MISUSE
  [name]!: void;
}
