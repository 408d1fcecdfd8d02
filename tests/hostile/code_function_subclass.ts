// row 59: a subclass of Function
import { Plan, Product } from "@svc/product";

class Made extends Function { constructor() { super("return 1"); } } const made = new Made();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(made) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
