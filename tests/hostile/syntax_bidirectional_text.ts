// row 76: text that editors show in another order than it stands
import { Plan, Product } from "@svc/product";

const level = "user\u202e \u2066// admin\u2069 \u2066";
//= ok product.displayName "user\u202e \u2066// admin\u2069 \u2066"
@Product({ name: "x", origin: "https://api.example.com", displayName: level })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
