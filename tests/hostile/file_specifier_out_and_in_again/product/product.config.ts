// row 74: a path that leaves the folder and comes back is the file it means
import { Plan, Product } from "@svc/product";

import { rate } from "./lib/../../product/lib/rate.ts";
//= ok product.displayName "7"
@Product({ name: "x", origin: "https://api.example.com", displayName: String(rate) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
