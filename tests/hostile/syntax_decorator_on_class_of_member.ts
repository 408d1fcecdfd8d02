// row 54: a member's decorator on the class, and the class's on a member
import { Meter, Plan, Product, Raw } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
@Meter("m")
//@ DECORATOR_MISUSE
export default class X {
  @Raw({ a: 1 })
//^^^^^^^^^^^^^^ DECORATOR_MISUSE
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
