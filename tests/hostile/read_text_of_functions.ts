// D31: functions have one text, whatever lowers and hardens them
import { Plan, Product } from "@svc/product";

//= ok product.displayName "function () { [not available in a build] }"
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: [Date, eval, "".normalize, Math.random, Plan, class A { b = 1_000 }, () => 0x10].map(String).filter((text, at, all) => all.indexOf(text) === at).join(),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
