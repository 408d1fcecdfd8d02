// row 56: a context that lacks what a compiler gives
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
Plan("late")(undefined, { kind: "field", name: "late", static: false, private: false, addInitializer() {} });
//? DECORATOR_MISUSE
