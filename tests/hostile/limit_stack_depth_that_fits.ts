// row 31: recursion that fits is no one's business
import { Plan, Product } from "@svc/product";

const dive = (depth) => (depth === 0 ? 0 : 1 + dive(depth - 1));
//= ok product.displayName "500"
@Product({ name: "x", origin: "https://api.example.com", displayName: String(dive(500)) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
