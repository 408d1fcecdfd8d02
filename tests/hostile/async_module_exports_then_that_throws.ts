// row 65: nor may its `then` be called at all
import { Plan, Product } from "@svc/product";

export function then() {
  throw new Error("called");
}
//= ok product.displayName "real"
@Product({ name: "x", origin: "https://api.example.com", displayName: "real" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
