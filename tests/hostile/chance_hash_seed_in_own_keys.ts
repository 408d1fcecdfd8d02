// row 16: strings and symbols in the order of their making
import { Plan, Product } from "@svc/product";

const object = { [Symbol("b")]: 1, b: 1, [Symbol("a")]: 1, a: 1, 1: 1 };
//= ok product.displayName "1,b,a,Symbol(b),Symbol(a)"
@Product({ name: "x", origin: "https://api.example.com", displayName: Reflect.ownKeys(object).map(String).join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
