// row 56: a class without an ancestor
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com", displayName: "plain" })
//= ok product.displayName "plain"
export default class X extends null {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
