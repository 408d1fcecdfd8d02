// row 56: a plan added when the class is closed
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
Plan("late", { limits: { requests: { rate: 1, interval: "minute" } } })(X.prototype, "late");
//? DECORATOR_MISUSE
