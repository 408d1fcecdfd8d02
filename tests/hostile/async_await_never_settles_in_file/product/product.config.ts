// row 35: the promise nobody keeps stands in another file
import { Plan, Product } from "@svc/product";

import { rate } from "./lib/rate";
//? UNSETTLED_AWAIT

@Product({ name: "x", origin: "https://api.example.com", displayName: String(rate) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
