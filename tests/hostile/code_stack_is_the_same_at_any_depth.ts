// row 60: nor how deep one is
import { Plan, Product } from "@svc/product";

const dive = (depth) => (depth === 0 ? new Error("x").stack : dive(depth - 1));
//= ok product.displayName "true"
@Product({ name: "x", origin: "https://api.example.com", displayName: String(dive(0) === dive(50)) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
