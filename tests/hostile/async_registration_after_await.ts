// row 34: a plan added behind a top-level await
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
await null;
Plan("late")(X.prototype, "late");
//? DECORATOR_MISUSE
