// row 92: a slash after a brace
import { Plan, Product } from "@svc/product";

let a = 8, g = 2, b = 2;
const told = a
/b/g;
{}
/x/.test("x");
//= ok product.displayName "2"
@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
