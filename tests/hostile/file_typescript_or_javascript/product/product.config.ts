// row 74: two files that differ in their ending alone
import { Plan, Product } from "@svc/product";

import { told } from "./rate";
import { told as script } from "./rate.js";
//= ok product.displayName "ts,js"
@Product({ name: "x", origin: "https://api.example.com", displayName: [told, script].join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
