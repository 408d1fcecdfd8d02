// row 74: files that import each other, and the entry too
import { Plan, Product } from "@svc/product";

import { told } from "./lib/a";
export const entry = () => "entry";
//= ok product.displayName "a of b of a of entry"
@Product({ name: "x", origin: "https://api.example.com", displayName: told() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
