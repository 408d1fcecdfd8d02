// row 23: code that no build runs harms no build
import { Plan, Product } from "@svc/product";

export const handler = () => process.env.SECRET;
//= ok product.displayName "x"
@Product({ name: "x", origin: "https://api.example.com", displayName: "x" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
