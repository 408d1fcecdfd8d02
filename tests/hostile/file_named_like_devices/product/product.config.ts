// row 74: names that some systems keep for devices, and names with many dots
import { Plan, Product } from "@svc/product";

import { a } from "./con";
import { b } from "./nul.js";
import { c } from "./a.b.c";
import { d } from "./x.ts.ts";
import { e } from "./-";
import { f } from "./0";
//= ok product.displayName "abcdef"
@Product({ name: "x", origin: "https://api.example.com", displayName: a + b + c + d + e + f })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
