// row 59: the constructor of the prototype
import { Plan, Product } from "@svc/product";

const made = Function.prototype.constructor("return 1");
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(made) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
