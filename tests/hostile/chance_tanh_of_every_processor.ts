// A1: the program computes the hyperbolic tangent itself
import { Plan, Product } from "@svc/product";

//= ok product.displayName "0.19987399342535847"
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: String(Math.tanh(405 / 1999)),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
