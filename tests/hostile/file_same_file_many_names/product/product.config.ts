// row 74: one file under four specifiers runs once
import { Plan, Product } from "@svc/product";

import { runs } from "./lib/counted";
import "./lib/counted.ts";
import "./lib/counted.js";
import "./lib/../lib/counted";
import "./lib/other";
//= ok product.displayName "1"
@Product({ name: "x", origin: "https://api.example.com", displayName: String(runs.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
