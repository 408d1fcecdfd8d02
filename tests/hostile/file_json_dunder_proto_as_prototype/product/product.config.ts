// row 45: the same module pollutes nothing
import { Plan, Product } from "@svc/product";

import data from "./data.json" with { type: "json" };
const told = [Object.keys(data).join("+"), {}.polluted, data.polluted, Object.getPrototypeOf(data) === Object.prototype];
//= ok product.displayName "a+__proto__,,,true"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
