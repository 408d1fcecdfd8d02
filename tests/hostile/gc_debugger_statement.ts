// row 37: nobody listens
import { Plan, Product } from "@svc/product";

debugger;
//= ok product.displayName "x"
@Product({ name: "x", origin: "https://api.example.com", displayName: "x" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
