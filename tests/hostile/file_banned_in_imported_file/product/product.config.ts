// row 2: the clock read in another file
import { Plan, Product } from "@svc/product";

import { now } from "./lib/clock";
//? BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(now) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
