// row 57: from a value out of a JSON module
import { Plan, Product } from "@svc/product";

import data from "./data.json" with { type: "json" };
const host = data.list.constructor.constructor("return this")();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(host) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
