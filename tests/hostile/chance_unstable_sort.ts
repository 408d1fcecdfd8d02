// row 16: a comparator that contradicts itself still gives one order
import { Plan, Product } from "@svc/product";

let turn = 0;
const sorted = Array.from({ length: 100 }, (_, i) => i).sort(() => ((turn = (turn * 5 + 3) % 17), turn - 8));
//= ok
@Product({ name: "x", origin: "https://api.example.com", displayName: sorted.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
