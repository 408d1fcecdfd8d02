// row 20: without a comparator the order is that of code units
import { Plan, Product } from "@svc/product";

//= ok product.displayName "10,9,B,a,\u00e4,\ud83d\ude00,\uff5e"
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: ["a", "\uff5e", "\u{1f600}", "B", "\u00e4", 10, 9].sort().join(),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
