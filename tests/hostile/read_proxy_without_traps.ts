// row 40: a Proxy of plain data is plain data
import { Plan, Product } from "@svc/product";

@Product(new Proxy({ name: "x", origin: "https://api.example.com", displayName: "seen" }, {}))
//= ok product.displayName "seen"
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
