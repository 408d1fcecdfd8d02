// row 72: the package's name with escapes in it is its name
import { Plan, Product } from "\u0040svc/\x70roduct";

//= ok product.displayName "x"
@Product({ name: "x", origin: "https://api.example.com", displayName: "x" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
