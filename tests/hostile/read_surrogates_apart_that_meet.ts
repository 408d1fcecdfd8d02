// row 49: two halves that make a whole
import { Plan, Product } from "@svc/product";

//= ok product.displayName "\ud83d\ude00"
@Product({ name: "x", origin: "https://api.example.com", displayName: "\ud83d" + "\ude00" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
