// row 59: eval without the syntax of a call
import { Plan, Product } from "@svc/product";

const told = Reflect.apply(eval, undefined, ["1 + 1"]);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
