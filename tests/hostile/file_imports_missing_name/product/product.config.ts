// row 74: a name that the other file does not export
import { Plan, Product } from "@svc/product";

import { missing } from "./lib/rate";

@Product({ name: "x", origin: "https://api.example.com", displayName: String(missing) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? SYNTAX_ERROR
