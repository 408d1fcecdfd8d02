// row 54: a computed name is computed once
import { Plan, Product } from "@svc/product";

let count = 0;
const name = () => `free${++count}`;
@Product({ name: "x", origin: "https://api.example.com" })
//= ok plans[0].name "free1"
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  [name()]!: void;
}
