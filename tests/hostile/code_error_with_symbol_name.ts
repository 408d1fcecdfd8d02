// row 61: an error whose name can't become text
import { Plan, Product } from "@svc/product";

const error = new Error("x");
Object.defineProperty(error, "name", { value: Symbol("name") });
//= ok product.displayName "true"
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: String(typeof error.stack === typeof new Error("y").stack),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
