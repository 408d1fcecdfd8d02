// row 76: the same letters as operators
import { Plan, Product } from "@svc/product";

let left = 1;
const told = 0 < ! --left;
//= ok product.displayName "true"
@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
