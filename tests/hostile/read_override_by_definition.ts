// row 44: literals, classes and fields hide what they inherit
import { Plan, Product } from "@svc/product";

class Named extends Error {
  name = "Named";
  toString() {
    return "mine";
  }
}
const literal = { toString: () => "ours", constructor: 1, valueOf: null };
//= ok product.displayName "mine,Named,ours"
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: [String(new Named("x")), new Named("x").name, literal.toString()].join(),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
