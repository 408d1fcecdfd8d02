// row 54: a field named by a symbol
import { Plan, Product } from "@svc/product";

const name = Symbol("free");
@Product({ name: "x", origin: "https://api.example.com" })
//? DECORATOR_MISUSE
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  [name]!: void;
}
