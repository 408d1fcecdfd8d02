// row 68: symbols that all realms share carry nothing
import { Plan, Product } from "@svc/product";

const told = [Symbol.keyFor(Symbol.for("x")), Symbol.keyFor(Symbol.iterator), Symbol.for("x") === Symbol.for("x")];
//= ok product.displayName "x,,true"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
