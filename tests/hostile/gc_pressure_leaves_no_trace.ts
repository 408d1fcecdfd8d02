// row 30: much garbage changes nothing that can be seen
import { Plan, Product } from "@svc/product";

let told = 0;
for (let i = 0; i < 20_000; i++) told += new Array(100).fill(i).length;
//= ok product.displayName "2000000"
@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
