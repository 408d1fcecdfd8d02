// row 45: a JSON module with keys that mean something to objects
import { Plan, Product, Raw } from "@svc/product";

import data from "./data.json" with { type: "json" };
@Product({ name: "x", origin: "https://api.example.com" })
@Raw(data)
//   ^^^^ KEY_FORM
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
