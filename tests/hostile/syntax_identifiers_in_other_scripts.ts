// row 72: names that look alike and are not
import { Plan, Product } from "@svc/product";

const \u0430 = "cyrillic";
const a = "latin";
const \u{1d4d0} = "mathematical";
//= ok product.displayName "cyrillic,latin,mathematical"
@Product({ name: "x", origin: "https://api.example.com", displayName: [\u0430, a, \u{1d4d0}].join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
