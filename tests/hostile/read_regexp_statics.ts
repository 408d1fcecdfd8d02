// D31: the statics of RegExp are empty when a product begins
import { Plan, Product } from "@svc/product";

//= ok product.displayName "|||"
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: [RegExp.lastMatch, RegExp.input, RegExp["$1"], RegExp.leftContext].join("|"),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
