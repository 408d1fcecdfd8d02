// row 76: nor does the name open what is closed
//# sourceURL=ext:core/mod.js
import { Plan, Product } from "@svc/product";

const told = [typeof Deno, typeof __bootstrap];
//= ok product.displayName "undefined,undefined"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
/*# sourceURL=ext:core/mod.js */
