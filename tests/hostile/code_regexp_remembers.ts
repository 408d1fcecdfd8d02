// row 57: the last match that RegExp remembers must be the same in every run, whatever ran in this worker before
import { Plan, Product } from "@svc/product";

//= ok
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: [RegExp.input, RegExp.lastMatch, RegExp.leftContext, RegExp.rightContext, RegExp.$1].join("|"),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
