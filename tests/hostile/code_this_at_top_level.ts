// row 71: `this` of a module, of a function, of a callback
import { Plan, Product } from "@svc/product";

const told = [typeof this, (function () { return typeof this; })(), [1].map(function () { return typeof this; })[0]];
//= ok product.displayName "undefined,undefined,undefined"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
