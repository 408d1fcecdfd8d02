// row 54: @Product is not on top
import { Plan, Product, Raw } from "@svc/product";

@Raw({ a: 1 })
//@ DECORATOR_MISUSE
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
