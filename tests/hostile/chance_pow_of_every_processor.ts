// A1: the program computes powers itself, the same on every processor
import { Plan, Product } from "@svc/product";

//= ok product.displayName "60904.134055254544,134106.81671325013,16677181699666568,0.000009999999999999999,1e+23,26566847120786"
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: [1.65, 1.3, 3, 10, 10, 104].map((x, i) => i === 5 ? Math.floor(x * 3.3 ** 22) : x ** [22, 45, 34, -5, 23][i]).join(),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
