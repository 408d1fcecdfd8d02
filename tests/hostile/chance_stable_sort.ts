// row 16: equal elements keep their order, however many there are
import { Plan, Product } from "@svc/product";

const sorted = Array.from({ length: 2000 }, (_, i) => i).sort((a, b) => (a % 2) - (b % 2));
//= ok product.displayName "0,2,4,1,3,5"
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: [...sorted.slice(0, 3), ...sorted.slice(1000, 1003)].join(),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
