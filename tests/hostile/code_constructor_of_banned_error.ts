// row 57: from the very error that says what is banned
import { Plan, Product } from "@svc/product";

let host = "";
try {
  Date.now();
} catch (error) {
  host = error.constructor.constructor("return this")();
//@ BANNED_API
}

@Product({ name: "x", origin: "https://api.example.com", displayName: String(host) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
