// row 33: the loop stands in another file
import { Plan, Product } from "@svc/product";

import "./lib/endless";
//= BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
