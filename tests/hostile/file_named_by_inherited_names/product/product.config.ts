// row 45: files whose names every object inherits
import { Plan, Product } from "@svc/product";

import { a } from "./__proto__";
import { b } from "./constructor";
import { c } from "./lib/toString";
import { d } from "./hasOwnProperty.ts";
//= ok product.displayName "abcd"
@Product({ name: "x", origin: "https://api.example.com", displayName: a + b + c + d })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
