// row 56: a decorator called on a built-in class declares nothing for anybody else
import { Plan, Product } from "@svc/product";

Plan("loose")(Object.prototype, "loose");
//? DECORATOR_MISUSE
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
