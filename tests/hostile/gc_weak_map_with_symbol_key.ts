// row 30: symbols as weak keys
import { Plan, Product } from "@svc/product";

const key = Symbol("k");
//= ok product.displayName "v"
@Product({ name: "x", origin: "https://api.example.com", displayName: new WeakMap([[key, "v"]]).get(key) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
