// row 56: the namespace takes nothing
import { Plan, Product } from "@svc/product";

import * as shim from "@svc/product";
const told = [Reflect.set(shim, "Plan", 1), Reflect.deleteProperty(shim, "Plan"), Reflect.defineProperty(shim, "x", { value: 1 }), Reflect.isExtensible(shim)];
//= ok product.displayName "false,false,false,false"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
