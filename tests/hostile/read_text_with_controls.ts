// row 49: terminal escapes, bidirectional marks and line separators are text and come through unchanged
import { Plan, Product } from "@svc/product";

//= ok product.displayName "\u001b[31mred\u0000\u2028\u202e\ufeff\u007f"
@Product({ name: "x", origin: "https://api.example.com", displayName: "\u001b[31mred\u0000\u2028\u202e\ufeff\u007f" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
