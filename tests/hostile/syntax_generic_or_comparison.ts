// row 92: what is a type to one parser is an operator to another
import { Plan, Product } from "@svc/product";

const f = (value) => `called with ${value}`;
const x = 2, y = 1, z = 0;
const told = [f < x, y > (z)];
//= ok product.displayName "called with 0"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
