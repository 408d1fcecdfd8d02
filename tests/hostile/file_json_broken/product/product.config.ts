// row 45: JSON that is JavaScript
import { Plan, Product } from "@svc/product";

import data from "./data.json" with { type: "json" };

@Product({ name: "x", origin: "https://api.example.com", displayName: String(data) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? SYNTAX_ERROR
