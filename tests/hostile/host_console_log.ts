// row 86: V8's console with an op behind it
import { Plan, Product } from "@svc/product";

console.log("x");
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
