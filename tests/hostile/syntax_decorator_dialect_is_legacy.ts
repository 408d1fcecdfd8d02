// row 54: a decorator of the author's sees which dialect it was lowered to
import { Plan, Product } from "@svc/product";

const told = [];
const witness = (...args) => void told.push(typeof args[1]);
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
//= ok product.displayName "string"
export default class X {
  @witness
  seen!: void;

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
