// A1: what is folded is what is computed
import { Plan, Product } from "@svc/product";

//= ok product.displayName "true 60904.134055254544"
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: (() => { enum E { a = 1.65 ** 22 } return `${E.a === Number("1.65") ** 22} ${E.a}`; })(),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
