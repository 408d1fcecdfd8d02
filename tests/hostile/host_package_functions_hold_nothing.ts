// row 56: no function of the package carries a property that it should not
import { Plan, Product } from "@svc/product";

import * as shim from "@svc/product";
const told = new Set();
for (const value of Object.values(shim)) {
  if (typeof value === "function") for (const key of Reflect.ownKeys(value)) told.add(String(key));
}
//= ok product.displayName "length,name,prototype"
@Product({ name: "x", origin: "https://api.example.com", displayName: [...told].sort().join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
