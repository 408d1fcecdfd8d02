// row 72: a name that looks like the clock's is the author's own
import { Plan, Product } from "@svc/product";

const D\u0430te = { now: () => 5 };
//= ok product.displayName "5"
@Product({ name: "x", origin: "https://api.example.com", displayName: String(D\u0430te.now()) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
