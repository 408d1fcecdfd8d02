// row 74: the entry imports itself
import { Plan, Product } from "@svc/product";

import * as self from "./product.config";
//= ok product.displayName "default,Symbol(Symbol.toStringTag)"
@Product({ name: "x", origin: "https://api.example.com", displayName: Reflect.ownKeys(self).map(String).join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
