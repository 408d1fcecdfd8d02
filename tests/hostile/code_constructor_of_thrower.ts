// row 57: from the function that throws in place of the banned one
import { Plan, Product } from "@svc/product";

const host = Date.now.constructor("return this")();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(host) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
